// Plain shell as a tree: the part of Bash that every bash reads alike. What has no type here is not
// plain.

export type PlainPart =
  /** Text as it stands; `quoted` where bash would not expand wildcards in it. */
  | { kind: "text"; text: string; quoted: boolean }
  | { kind: "glob"; text: string }
  | { kind: "variable"; name: string; quoted: boolean }
  /** What `$(…)` prints. */
  | { kind: "output"; script: PlainList; quoted: boolean }
  /** A leading `~`. */
  | { kind: "home" };

export type PlainWord = { parts: PlainPart[]; raw: string };

export type PlainRedirect =
  | { kind: "read" | "write"; target: PlainWord }
  /** `2>file` */
  | { kind: "errors"; target: PlainWord }
  /** `2>&1`, `>&2`: no file. */
  | { kind: "copy" }
  /** A here-document. */
  | { kind: "text"; body: string };

export type PlainSimple = {
  type: "simple";
  assignments: { name: string; value: PlainWord }[];
  words: PlainWord[];
  redirects: PlainRedirect[];
};

/** `negated`: a `!` stands before it, so that `&&` goes on where it fails. */
export type PlainNode = { negated?: true } & (
  | PlainSimple
  | { type: "pipeline"; items: PlainNode[] }
  | { type: "chain"; first: PlainNode; rest: { operator: "&&" | "||"; node: PlainNode }[] }
  | { type: "subshell"; body: PlainList; redirects: PlainRedirect[] }
  | { type: "for"; name: string; words: PlainWord[]; body: PlainList; redirects: PlainRedirect[] }
  | { type: "while"; condition: PlainList; body: PlainList; redirects: PlainRedirect[] }
  | {
      type: "if";
      branches: { condition: PlainList; body: PlainList }[];
      otherwise?: PlainList;
      redirects: PlainRedirect[];
    }
);

export type PlainList = { node: PlainNode; background: boolean }[];
