// Recognises a line that defines a name, in the languages that reports are about. Patterns, no parser: a hint that ranks, never a proof.

const keyword =
  "(?:async\\s+|static\\s+|abstract\\s+|final\\s+|default\\s+|declare\\s+|pub(?:\\([^)]*\\))?\\s+|unsafe\\s+|extern(?:\\s+\"[^\"]*\")?\\s+|const\\s+)*" +
  "(?:function\\s*\\*?|def|class|interface|enum|struct|union|trait|impl|type|typedef|module|namespace|package|func|fn|sub|record|object|protocol|extension|mod|macro_rules!|defmodule|macro|data|newtype|instance|procedure|table|view|trigger|index)";
const declarator = "(?:const|let|var|val|local|our|my|static|readonly|final|export|declare|typeset|set|global|constexpr|#\\s*define|alias)";

const cache = new Map<string, [RegExp, number][]>();

/** 3: a keyword introduces it; 2: a declaration, method or assignment shape; 1: a key or a heading; 0: none. */
export function definitionStrength(line: string, name: string): number {
  if (line.length > 2000 || isComment(line)) return 0;
  for (const [pattern, strength] of patternsFor(name)) if (pattern.test(line)) return strength;
  return 0;
}

/** A line that holds only a comment. `#` alone is left out: it also begins headings, selectors and directives. */
export function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|<!--|--\s|;;|"""|'''|#\s(?!\s*define))/.test(line);
}

function patternsFor(name: string): [RegExp, number][] {
  const known = cache.get(name);
  if (known) return known;
  if (cache.size > 20_000) cache.clear();
  const word = `(?<![\\w$])${name.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")}(?![\\w$])`;
  const made: [RegExp, number][] = [
    [new RegExp(`(?:^|[\\s;{(=,])${keyword}\\s+(?:\\([^)]*\\)\\s*)?(?:[\\w$]+(?:\\.|::|#))*${word}`), 3],
    [new RegExp(`^\\s*#\\s*define\\s+${word}`), 3],
    [new RegExp(`(?:^|[\\s;{(])${declarator}\\s+(?:[\\w$<>[\\]*&:]+\\s+)*[*&$@%{\\[]*${word}(?!\\s*\\()`), 2],
    [new RegExp(`^[\\w$<>\\[\\],.*&:~\\s@]*${word}\\s*(?:<[^>]*>)?\\s*\\([^;]*(?:\\{|:|,|\\)|=>|\\()\\s*(?:const|override|noexcept|throws\\s[\\w., ]+|->.*)?\\s*[{:]?\\s*\\\\?$`), 2],
    [new RegExp(`^\\s*(?:[\\w$.]+\\.)?${word}\\s*(?::[^=]+)?=(?!=)`), 2],
    [new RegExp(`^\\s*(?:get|set|async|static|public|private|protected|override|#)*\\s*${word}\\s*\\(`), 1],
    [new RegExp(`^\\s*["'\`]?${word}["'\`]?\\s*[:=]`), 1],
    [new RegExp(`^\\s*(?:#{1,6}\\s.*|[.#@&]?)${word}`), 1],
  ];
  cache.set(name, made);
  return made;
}
