// Whether a text may hold anything that could be compared with files or record. Decided by one look at
// its letters, before the code that compares is loaded: an answer without any of it costs next to
// nothing. In doubt it may; then the whole check decides.

/** A path, code, a link, a place, a heading or a table: the forms in which places are written. */
const written = /[`/\\|#]|\w\.\w|:\d|\bline\b|\]\(/i;

/** Figures, names that stand in quotes or code, and signs and letters that English is not written with. */
const telling = /[\d`"“„«]|~~~|[^\0-\x7f’‘“”–—…]/;

/** The words without which no English sentence tells a deed or a result: beginnings, and whole words. */
const beginnings = `
  test spec suite prove pytest vitest jest mocha rspec phpunit ctest bats unittest junit xunit nunit
  playwright cypress cargo tox minitest deno pass green succe regress fail broke build built rebuilt
  compil webpack rollup esbuild bundl baut kompilier type tsc mypy pyright lint eslint oxlint biome
  ruff clippy flake golangci vet rubocop pylint phpstan psalm shellcheck stylelint checkstyle detekt
  ktlint swiftlint credo analys error warn problem issue complain violat finding offens race leak
  diagnos format prettier gofmt rustfmt style black spotless php-cs clang dprint dotnet pipeline check
  workflow everything quality commit precommit coverage verif confirm validat double exercis manual
  local work runs ran behav functional operational reproduc rerun re-run reran re-ran execut start
  launch tri gone fix deploy redeploy roll ship promot live running serving publish releas republish
  availab upload push force pull merg migrat database schema registr npm nuget rubygem pypi jsr
  azurecr crates docker maven ghcr ecr hex packagist marketplace alle fehler kein bestanden erfolg
  superad passano ausgerollt implantad desplegad publicad corregido behoben verificad probado testado
  getestet pruebas histor revision author tag git head depend todo fixme hack xxx status outcome
  decision state route endpoint msrv applied
`;
const wholeWords = "ci db i i'm i've ich j'ai mr nous pr up us we we've";

const words = new RegExp(
  `\\b(?:${split(beginnings).join("|")})|\\b(?:${split(wholeWords).join("|")})\\b|\\b[0-9a-f]{7,}\\b`,
);

function split(list: string): string[] {
  return list.trim().split(/\s+/);
}

/** A sentence of it may tell a deed, a result or something about the tree. */
export const mayClaim = (text: string): boolean =>
  telling.test(text) || words.test(text.toLowerCase());

export const saysSomething = (text: string): boolean => written.test(text) || mayClaim(text);
