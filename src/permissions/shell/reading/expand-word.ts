// Expands a parsed word the way bash would, as far as that is possible without running anything.
import type { Word } from "unbash";
import { ask } from "../analysis.ts";
import { known, splitting, unknown, type Field } from "../field.ts";
import { maxAlternatives, type WordPiece } from "./join-quoted.ts";
import { wordPieces, type Expander } from "./word-pieces.ts";

/** The fields one word becomes; brace expansion makes several. */
export const expandWord = (word: Word, expander: Expander): Field[] =>
  plain.test(word.text) && word.value === word.text && word.parts === undefined
    ? [known(word.text)]
    : combine(wordPieces(word, expander), word, expander);

/** Nothing in it means anything to a shell. */
const plain = /^[\w@%+=:,./-]+$/;

type Draft = { text: string; glob: boolean };

function combine(pieces: WordPiece[], word: Word, expander: Expander): Field[] {
  const raw = word.text;
  if (pieces.includes("splitting")) return [splitting(raw)];
  if (pieces.includes("descriptor"))
    return [{ ...unknown(raw, false), descriptor: pieces.length === 1 }];
  if (
    pieces.includes("unknown") ||
    pieces.some(
      (piece) =>
        typeof piece === "object" && "alternatives" in piece && piece.alternatives.length === 0,
    )
  ) {
    return [unknown(raw, !startsPlain(pieces))];
  }
  let drafts: Draft[] = [{ text: "", glob: false }];
  let braced = false;
  for (const piece of pieces) {
    if (typeof piece === "string") continue;
    const tails =
      "text" in piece ? [{ text: piece.text, glob: piece.glob ?? false }] : memberDrafts(piece);
    braced ||= "members" in piece;
    if (drafts.length * tails.length <= maxAlternatives * 4)
      drafts = drafts.flatMap((head) =>
        tails.map((tail) => ({ text: head.text + tail.text, glob: head.glob || tail.glob })),
      );
    else {
      expander.complain(ask("too-many", "A brace expansion is too large to be listed."));
      return [splitting(raw)];
    }
  }
  return braced
    ? drafts.map((draft) => toField([draft], word, expander))
    : [toField(drafts, word, expander)];
}

function memberDrafts(
  piece: { members: string[] } | { alternatives: string[]; glob?: boolean },
): Draft[] {
  return "members" in piece
    ? piece.members.map((text) => ({ text, glob: /[*?]/.test(text) }))
    : piece.alternatives.map((text) => ({ text, glob: piece.glob === true }));
}

function startsPlain(pieces: WordPiece[]): boolean {
  const first = pieces[0];
  if (typeof first !== "object") return false;
  if ("alternatives" in first) return first.quoted;
  return "text" in first && first.text !== "" && !first.text.startsWith("-") && !first.glob;
}

function toField(drafts: Draft[], word: Word, expander: Expander): Field {
  const texts = drafts.map((draft) => expandTilde(draft.text, word, expander));
  if (texts.includes(null)) return unknown(word.text, false);
  const values = texts as string[];
  const glob = drafts.some((draft) => draft.glob);
  const single = values.length === 1 && !glob;
  return {
    value: single ? values[0]! : null,
    values,
    glob,
    splits: glob,
    open: values.some(
      (value) => (value.startsWith("-") && !single) || (glob && /^[*?[]/.test(value)),
    ),
    descriptor: false,
    raw: word.text,
  };
}

function expandTilde(text: string, word: Word, expander: Expander): string | null {
  const written = word.text;
  if (written.startsWith("~") && text.startsWith("~")) {
    if (text === "~" || text.startsWith("~/")) return expander.home + text.slice(1);
    return null;
  }
  // bash expands a tilde after `name=` and after `:` in such words too.
  const named = /^([A-Za-z_]\w*=)(~)(?=\/|$|:)/.exec(written);
  if (named && text.startsWith(`${named[1]}~`))
    return named[1] + expander.home + text.slice(named[1]!.length + 1);
  if (/^[A-Za-z_]\w*=.*(?:^|[=:])~/.test(written)) return null;
  return text;
}
