// Whether an edit after a run makes the run old: an edit of what the run looks at, not of prose, logs
// or another language, and not of comments alone.
import { isAbsolute } from "node:path";
import type { Edit } from "../../evidence/edits.ts";
import type { Ecosystem } from "./tables/known-tools.ts";
import type { RecordedRun } from "./recorded-runs.ts";

/** The first edit after the run that it would have to be run again for. */
export function editAfter(
  {
    run,
    ecosystem,
    folder,
  }: Pick<RecordedRun, "ecosystem" | "folder"> & { run: { order: number } },
  edits: readonly Edit[],
): Edit | undefined {
  return edits.find(
    (edit) =>
      edit.order > run.order &&
      !isProse(edit.path) &&
      !isBuilding(edit) &&
      isOf(ecosystem, edit.path) &&
      isIn(folder, edit.path) &&
      !isComment(edit) &&
      !isTakenBack(edit, edits),
  );
}

/** Prose, notes and logs are no part of what is built or tested. */
export const isProse = (path: string): boolean =>
  (/\.(?:md|mdx|txt|rst|adoc|log|out|png|jpe?g|svg|gif|pdf|csv|patch|diff)$/i.test(path) &&
    !isTextOfBuild.test(path)) ||
  /(?:^|\/)(?:LICENSE|CHANGELOG|NOTICE|CODEOWNERS|AUTHORS|\.gitignore|\.editorconfig)[^/]*$/i.test(
    path,
  ) ||
  isNotes.test(path) ||
  /^(?:\/(?:tmp|var|dev|private)\/|\.(?:claude|github|vscode|idea|retinue|git)\/)|(?:^|\/)docs?\//i.test(
    path,
  );

/** A text by its ending that a build reads. */
const isTextOfBuild = /(?:^|\/)(?:CMakeLists|meson_options|conanfile|requirements[\w.-]*)\.txt$/i;
/** Texts for people that have no ending. */
const isNotes =
  /(?:^|\/)(?:changes|news|history|releases?|readme|todo|contribut\w+|copying|credits|thanks|maintainers|roadmap)$/i;

/** What a build makes, and what is thrown away of it, is no source. */
const isBuilding = ({ action, path, by }: Edit): boolean =>
  (action === "delete" || by === "Bash") && (isPacked.test(path) || isBuilt.test(path));
const isPacked = /\.(?:\w*plan|zip|tar|t?gz|whl|jar|bin|exe|db|sqlite3?|dump|prof|trace|xlsx?)$/i;
const isBuilt = /(?:^|\/)(?:build|dist|out|target|coverage|bin|obj|tmp)[\w.-]*(?:\/|$)/i;

const shared =
  /\.(?:json|ya?ml|toml|env|lock|cfg|ini|sql|proto|graphql|sh|html|tmpl|xml)$|(?:^|\/)[^./]+$/i;
export const languages: { [ecosystem in Ecosystem]: RegExp | null } = {
  js: /\.(?:[cm]?[jt]sx?|vue|svelte|astro|s?css|less|mdx|snap)$/i,
  python: /\.(?:pyi?|ipynb|pyx)$/i,
  go: /\.(?:go|mod|sum)$/i,
  rust: /\.(?:rs)$/i,
  jvm: /\.(?:java|kts?|scala|groovy|gradle|clj\w?|properties)$/i,
  ruby: /\.(?:rb|erb|rake|gemspec|haml|slim)$/i,
  php: /\.(?:php|phtml|twig|blade)$/i,
  dotnet: /\.(?:cs|fs|vb|csproj|fsproj|sln|razor|cshtml|props)$/i,
  elixir: /\.(?:exs?|h?eex)$/i,
  swift: /\.(?:swift|m|mm|dart|plist|xib|storyboard)$/i,
  c: null,
  any: null,
};

const isOf = (ecosystem: Ecosystem, path: string): boolean => {
  const own = languages[ecosystem];
  return own === null || own.test(path) || shared.test(path);
};

/** A run in one package is not made old by an edit of another. */
const isIn = (folder: string, path: string): boolean =>
  folder === "." ? !isAbsolute(path) || !isForeign(path) : path.startsWith(`${folder}/`);

const isForeign = (path: string): boolean => isAbsolute(path);

/** It only takes back an earlier edit: the run was about what stood there in between. */
const isTakenBack = ({ path, change, order }: Edit, edits: readonly Edit[]): boolean =>
  change !== null &&
  edits.some(
    (one) =>
      one.path === path &&
      one.order < order &&
      one.change?.from === change.to &&
      one.change.to === change.from,
  );

/** The words before and after differ in comments, blanks and the project's own version only. */
function isComment({ change }: Edit): boolean {
  if (change === null) return false;
  const bare = (text: string): string =>
    text
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(/(?<![:"'`\w])(?:\/\/|#(?!include|\[|!)).*$/gm, "")
      .replace(/^(\s*"?version"?\s*[:=]\s*)["']?\d[\w.+-]*["']?/gim, "$1")
      .replace(/\s+/g, "");
  return bare(change.from) === bare(change.to);
}
