// Stems that name what a project can check, and predicates that call it good: a small lexicon whose rows
// are combined freely, instead of whole phrases.
import { knownTools } from "../runs/tables/known-tools.ts";
import { anyPhrase } from "../words/phrase.ts";
import type { ResultSubject } from "../result-subject.ts";

/** Names of programs that are ordinary words too, or that do many things. */
const everydayWords = new Set(
  (
    "black green standard robot install prove surge build task m np c8 lab tap tape ward xo vale pint swc cc make " +
    "go cargo node deno bun mix dotnet swift flutter dart npm npx pnpm yarn rails rake artisan console manage.py " +
    "docker podman helm kubectl terraform tofu git gh glab hub gt sl jj ssh rsync scp aws az gcloud migrate atlas " +
    "stack cabal dune nim crystal zig meson bazel buck2 gradle mvn sbt lein ant mill nx turbo lerna hatch poetry uv " +
    "flit coverage php python ruby ruff biome prisma psql goose ent trunk arch expo unbuild parcel flow next ng"
  ).split(" "),
);
const pairs = new Set("go cargo dotnet swift bun deno mvn gradle ruff biome mix next".split(" "));

/** `vitest`, `go test`: a tool's name says which subject is meant. */
const toolNames = (subject: ResultSubject): string[] => [
  ...new Set(
    knownTools
      .filter(({ subjects }) => subjects[0] === subject)
      .flatMap(({ calls }) =>
        calls.flatMap((call) => {
          const [program, next] = call.split(" ") as [string, string | undefined];
          const isPair = pairs.has(program) && /^[a-z]+$/.test(next ?? "");
          if (isPair) return [`${program} ${next}`];
          return everydayWords.has(program) || !/^[a-z][\w-]+$/.test(program) ? [] : [program];
        }),
      ),
  ),
];

/** A noun before another noun speaks of that one: "the test file", "lint rules". */
const notBefore = (others: string): string =>
  `(?!(?:'s)?[- ](?:${others})(?:s|es|ies|y)?(?![\\p{L}\\d]))`;

const stems = (subject: ResultSubject, words: string[], others: string): Stem => ({
  subject,
  named: anyPhrase(
    [...words, ...toolNames(subject)].map((word) =>
      word.startsWith("(?:)")
        ? word
        : `(?<![./@-])(?:${word})(?![/@]|-(?!free|clean)|\\.\\w)${notBefore(others)}`,
    ),
  ),
});

export type Stem = { subject: ResultSubject; named: RegExp };

export const checkStems: readonly Stem[] = [
  stems(
    "tests",
    [
      "(?:unit|regression|integration|e2e|smoke)?[- ]?tests?|specs|(?:test)?suites?|test ?(?:set|cases?|results?)",
      "(?:\\d+|all|both|three|four|five|six|seven|eight|nine|ten) (?:examples?|cases?|scenarios?)",
      "Testsuites?|Testläufe?|pruebas?|testes?|тест\\p{L}*",
      "(?:)(?:测试|測試|テスト|테스트)(?:)",
    ],
    "script|plan|fixture|helper|runner|data|harness|command|setup|config|util|name|coverage|environment|" +
      "double|server|user|account|database",
  ),
  stems(
    "build",
    [
      "(?:re)?builds?|(?:re)?built|bundl(?:e|es|ed|ing)|compil(?:es?|ed|ation|er|ing)|kompiliert?|gebaut|vite",
      "(?:)(?:编译|構建|构建|ビルド|コンパイル|빌드)(?:)",
    ],
    "script|step|file|config|command|system|tool|folder|director|output|time|pipeline|cache|option|flag|arg|" +
      "a|an|the|its|" +
      "on|up|from|to|this|that|it|into",
  ),
  stems(
    "types",
    [
      "type[- ]?check(?:s|ing|er|ed)?|types|typings?|typescript(?: compiler)?",
      "Typ(?:prüfung|en)|tipos|typage|tipagem",
      "(?:)(?:类型检查|型チェック)(?:)",
    ],
    "file|definition|annotation|declaration|parameter|alias|script|config|argument|import",
  ),
  stems(
    "lint",
    [
      "lint(?:ing|er|ers|s|ed)?|offen[cs]es?|(?:static|code) analysis|code[- ]?style|ruff|biome|(?:)Linter",
    ],
    "rule|config|script|file|plugin|step",
  ),
  stems(
    "format",
    [
      "format(?:ting|ter|ted)|format check|gofmt|spotless|Formatierung|formatage|formato|formatação|black",
    ],
    "string|option|function|file|config|rule|of|specifier|argument",
  ),
  stems(
    "checks",
    [
      "CI|pipelines?|workflows?(?: runs?)?|github actions|(?:quality |status |all |the )checks",
      "quality gates?|pre-?commit(?: hooks?)?",
    ],
    "script|config|file|step|job|variable",
  ),
];

/** Says that it came out well, wherever it stands in the clause. */
export const strongGood: RegExp = anyPhrase([
  "green|succeed\\p{L}*|successfully|cleanly|error-free|flawless(?:ly)?",
  "(?:success|successful|clean|ok|okay|good|fine)(?=$|[.,;:!)(|]| (?:now|again|after|across|too|everywhere|" +
    "as well|with (?:the|this|it)))(?:)",
  "without (?:a |any )?\\p{L}*(?: \\p{L}+)?(?:problems?|trouble|hitch|issues?|errors?|fail\\p{L}+|" +
    "complaints?|findings?)",
  "(?:has|have|had) nothing to (?:say|add|report|complain\\p{L}*|object)|nothing (?:\\p{L}+ )?to \\p{L}+",
  "(?:found|finds|reports?|reported|flags?|flagged|shows?|showed) (?:nothing|none)",
  "check(?:s|ed)? out|all (?:is )?well",
  "(?:gofmt|prettier|black|rustfmt|lint)(?:'?e?d|-?clean|-free)",
  "no longer (?:fails?|complains?|breaks?)",
  "(\\d{1,6}) ?(?:/|of|out of) ?\\1",
  "exit(?:s|ed)?(?: with)?(?: status)?(?: code)? 0|zero exit",
  "bestanden|bestehen|durchgelaufen|durch|fehlerfrei|erfolgreich|grün|sauber|einwandfrei",
  "verts?|réussi\\p{L}*|passe(?:nt)?|passés?|succès|sans (?:erreurs?|échecs?|soucis?|problèmes?)",
  "verdes?|pas(?:an?|aron|ado|ados|ó)|éxito|exitos\\p{L}+|sin (?:errores|fallos|problemas|incidencias)|" +
    "no hubo fall\\p{L}+",
  "pass(?:am|aram|ou|a)|sucesso|sem (?:erros?|falhas?|problemas?|avisos?)",
  "успешн\\p{L}+|прош\\p{L}+|зел[её]н\\p{L}+|без ошибок",
  "(?:)(?:✅|✓|✔|☑|🟢|👍|💚|通过|通過|成功|没有(?:错误|警告|问题|失败)|无(?:错误|警告|误)|パス|通り|エラーなし|통과)(?:)",
]);

/** Says so only right behind the noun: "the suite holds", "tests are in good shape". */
export const weakGood: RegExp = anyPhrase([
  "hold(?:s|ing)?(?: up)?|happy|satisfied|pleased|healthy|stable|solid|intact|unbroken|quiet|silent",
  "works?|worked|working|through|complete[sd]?|finish(?:es|ed)?|done|perfect(?:ly)?|smooth(?:ly)?|" +
    "in (?:good shape|order)",
  "confirm(?:s|ed)?|agrees?|checks? out|as expected|up to date|goes? through|went through|came back|comes? back",
]);

/** "Verified by the tests", "confirmed with the linter". */
export const provedBy: RegExp = anyPhrase([
  "(?:verified|confirmed|validated|proven|checked|covered and verified|backed) (?:by|with|in|through|using|via)",
]);
