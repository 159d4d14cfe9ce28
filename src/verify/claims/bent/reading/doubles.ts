// How tests put a double for something, and what they import: modules, classes and names.

export type ModuleDouble = { found: string; at: number; module: string; keys: string[] | null };

/** `vi.mock("../src/cart", () => ({ total: () => 3 }))`; `keys` is null where all of it is replaced. */
export const moduleDoubles = (text: string): ModuleDouble[] =>
  [
    ...text.matchAll(
      /\b(?:jest|vi|mock)\.(?:do)?(?:[mM]ock|module)\(\s*["']([^"']+)["']|\bpatch\(\s*["']([\w.]+)\.\w+["']/g,
    ),
  ].map((match) => {
    const call = text.slice(match.index, text.indexOf("\n})", match.index) + 3 || undefined);
    const given = /^[^\n]*,/.test(call) ? (call.match(/\b(\w+)(?=\s*:|\()/g) ?? []) : [];
    const keys = /\.\.\.|importActual|requireActual/.test(call) ? given : null;
    return { found: match[0], at: match.index, module: match[1] ?? match[2]!, keys };
  });

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

/** Names that a file imports from a module of the project or of others. */
export function importedNames(text: string): { module: string; name: string }[] {
  const named = [
    ...text.matchAll(
      /\bimport\s+(?:type\s+)?(?:(\w+)\s*,?\s*)?(?:\{([^}]*)\})?\s*from\s*["']([^"']+)["']/g,
    ),
    ...text.matchAll(
      /\b(?:const|let|var)\s+(?:(\w+)|\{([^}]*)\})\s*=\s*require\(["']([^"']+)["']\)/g,
    ),
  ].flatMap(([, whole, list = "", module]) =>
    [whole ?? "", ...list.split(",")].map((name) => ({ module: module!, name: localName(name) })),
  );
  const python = [...text.matchAll(/^from ([\w.]+) import \(?([\w, \n]+)/gm)].flatMap(
    ([, module, list]) =>
      list!
        .split("\n\n")[0]!
        .split(",")
        .map((name) => ({ module: module!, name: localName(name) })),
  );
  const rust = [...text.matchAll(/^\s*use ([\w:]+)::(?:\{([^}]*)\}|(\w+));/gm)].flatMap(
    ([, module, list, one]) =>
      (list ?? one!).split(",").map((name) => ({ module: module!, name: localName(name) })),
  );
  return [...named, ...python, ...rust].filter(({ name }) => /^[A-Za-z_$][\w$]*$/.test(name));
}

const localName = (name: string): string =>
  name
    .trim()
    .split(/\s+(?:as|:)\s+|:\s*/)
    .at(-1)!
    .replace(/^type /, "")
    .trim();
