// What one part of a word stands for, and how parts between double quotes become one.

export type WordPiece =
  | { text: string; glob?: boolean }
  | "unknown"
  | "splitting"
  | { alternatives: string[]; quoted: boolean; glob?: boolean }
  | { members: string[] }
  | "descriptor";

export const maxAlternatives = 64;

/** What the parts between double quotes have given so far. */
type Quoted = {
  text: string;
  alternatives: string[] | undefined;
  glob: boolean;
  dynamic: "unknown" | "splitting" | undefined;
};

/** The parts between double quotes as one piece. `startsPlain`: it can be no option. */
export function joinQuoted(pieces: readonly WordPiece[], startsPlain: boolean): WordPiece {
  const state: Quoted = { text: "", alternatives: undefined, glob: false, dynamic: undefined };
  for (const piece of pieces) addQuoted(state, piece);
  const { text, alternatives, glob, dynamic } = state;
  if (dynamic)
    return dynamic === "unknown" && text !== "" && startsPlain
      ? { alternatives: [], quoted: true }
      : dynamic;
  return alternatives ? { alternatives, quoted: true, glob } : { text };
}

const hasWildcard = (text: string): boolean => /[*?[\]\\]/.test(text);

function addQuoted(state: Quoted, piece: WordPiece): void {
  if (typeof piece === "string")
    state.dynamic =
      piece === "splitting" || state.dynamic === "splitting" ? "splitting" : "unknown";
  else if ("text" in piece) {
    // A literal star beside names that match a pattern would become part of the pattern.
    if (state.glob && hasWildcard(piece.text)) state.dynamic = "unknown";
    state.text += piece.text;
    state.alternatives = state.alternatives?.map((item) => item + piece.text);
  } else if ("alternatives" in piece) addAlternatives(state, piece);
}

function addAlternatives(
  state: Quoted,
  { alternatives, glob }: { alternatives: string[]; glob?: boolean },
): void {
  const heads = state.alternatives ?? [state.text];
  state.glob ||= glob === true;
  if (state.glob && hasWildcard(state.text)) state.dynamic = "unknown";
  if (heads.length * alternatives.length > maxAlternatives) state.dynamic = "unknown";
  else state.alternatives = heads.flatMap((head) => alternatives.map((item) => head + item));
}
