// How tests put a double for a class of the project.

const doubles: readonly RegExp[] = [
  /\bMock(?:\.Of)?<(\w+)>/g,
  new RegExp(
    "\\b(?:mock|spy|mockk|spyk|createMock|createStub|createPartialMock|createConfiguredMock|getMockBuilder|" +
      "createStubInstance|(?:instance|class|object)_double|create_autospec|Substitute\\.For|A\\.Fake|" +
      "prophesize|createMockFromModule)\\s*[(<]\\s*\\\\?[\"']?([\\w.\\\\]+)",
    "g",
  ),
  /Mock\(\s*(?:name=["']\w*["'],\s*)?(?:spec|spec_set|wraps)=(\w+)/g,
  new RegExp(
    "@(?:Mock|Spy|MockBean|SpyBean|MockK|MockitoBean)\\b(?:\\([^)]*\\))?\\s+" +
      "(?:(?:private|protected|public|final|lateinit|va[rl]) )*(?:\\w+: )?(\\w+)",
    "g",
  ),
  /\b(?:[fF]ake|[sS]tub|[mM]ock|Dummy)([A-Z]\w*)(?=\s*[({]|::new|\.new|::default)/g,
  /\}\s*as (?:unknown as |any as |never as )?(?:(?:jest|vi)\.)?(?:Mocked<)?([A-Z]\w*)/g,
  /\bnew (\w+)\([^;{}]*\)\s*\{\s*@Override/g,
  /\bclass \w+ (?:extends|<|:) (\w+)|\bclass \w+\((\w+)\):|\bobject : (\w+)\(/g,
];

/** Classes of which a text makes a double, or a class of its own. */
export const classDoubles = (text: string): { name: string; at: number }[] =>
  doubles.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({
      name: lastName(match.slice(1).find((group) => group !== undefined)!),
      at: match.index,
    })),
  );

/** `Shop.Cart.class` is a Cart. */
const lastName = (name: string): string =>
  name
    .replace(/\.class$/, "")
    .split(/[.\\]/)
    .at(-1)!;

/** How often a class is made as it is. */
export function constructions(name: string, text: string): number {
  const made = new RegExp(
    `\\bnew ${name}\\((?![^;{}]*\\)\\s*\\{\\s*@Override)|(?<![\\w.]|new |class |def |func )${name}\\(|` +
      `\\b${name}(?:\\.new\\b|::(?:new|default)\\b)|\\bdescribed_class\\.new\\b|` +
      `(?<![\\w.])(?:\\w+\\.)?New(?:${name})?\\(|` +
      `@InjectMocks[^;]*\\b${name}\\b`,
    "g",
  );
  return [...text.matchAll(made)].length;
}
