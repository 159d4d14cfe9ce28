// The file types that Grep's `type` knows: one table for both engines, by the end of the name.

const types: Readonly<Record<string, readonly string[]>> = {
  c: [".c", ".h"],
  cpp: [".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".h", ".inl"],
  cs: [".cs"],
  css: [".css", ".scss"],
  csv: [".csv"],
  dart: [".dart"],
  docker: ["Dockerfile", ".dockerfile"],
  elixir: [".ex", ".exs", ".eex", ".heex"],
  erlang: [".erl", ".hrl"],
  go: [".go"],
  graphql: [".graphql", ".graphqls"],
  haskell: [".hs", ".lhs"],
  html: [".html", ".htm"],
  java: [".java", ".jsp"],
  js: [".js", ".jsx", ".mjs", ".cjs", ".vue"],
  json: [".json", ".jsonl"],
  julia: [".jl"],
  kotlin: [".kt", ".kts"],
  less: [".less"],
  lua: [".lua"],
  make: ["Makefile", "makefile", "GNUmakefile", ".mk"],
  markdown: [".md", ".markdown", ".mdx"],
  md: [".md", ".markdown", ".mdx"],
  nix: [".nix"],
  objc: [".m", ".h"],
  perl: [".pl", ".pm", ".t"],
  php: [".php", ".phtml"],
  proto: [".proto"],
  py: [".py", ".pyi"],
  python: [".py", ".pyi"],
  r: [".r", ".R", ".Rmd"],
  rb: [".rb", ".gemspec", "Gemfile", "Rakefile"],
  ruby: [".rb", ".gemspec", "Gemfile", "Rakefile"],
  rust: [".rs"],
  sass: [".sass", ".scss"],
  scala: [".scala", ".sbt"],
  sh: [".sh", ".bash", ".zsh", ".ksh", ".bashrc", ".profile"],
  sql: [".sql"],
  svelte: [".svelte"],
  swift: [".swift"],
  tex: [".tex", ".sty", ".cls", ".bib"],
  tf: [".tf", ".tfvars"],
  toml: [".toml", "Cargo.lock"],
  ts: [".ts", ".tsx", ".mts", ".cts"],
  txt: [".txt"],
  typescript: [".ts", ".tsx", ".mts", ".cts"],
  vue: [".vue"],
  xml: [".xml", ".xsd", ".xsl", ".svg"],
  yaml: [".yaml", ".yml"],
  zig: [".zig"],
};

export const fileTypeNames: readonly string[] = Object.keys(types);

/** Whether a path is of the type; undefined for a type that is not known. */
export function fileType(name: string): ((path: string) => boolean) | undefined {
  const ends = Object.hasOwn(types, name) ? types[name] : undefined;
  return (
    ends &&
    ((path) =>
      ends.some((end) =>
        end.startsWith(".") ? path.endsWith(end) : path === end || path.endsWith(`/${end}`),
      ))
  );
}
