// The shapes of sentences that say where alone something is, or that a word or a mark stands nowhere: only `a` uses
// `b`, no `throw` under `a`. `o`: what is spoken of; `s`: the places; `v`: what would be done there.

/** in: not in the places; outside: nowhere but there. */
export type Frame = { kind: "in" | "outside"; pattern: RegExp };

const list = "[§¶](?:(?:,| and| or| nor|, and|, or|,? not in|, nor in) [§¶])*";
const o = `(?:the )?(?<o>${list})`;
const s = `(?:the |any of |any file of )?(?<s>${list})(?: (?:folder|directory|package|module|file|class|crate))?`;
const within = `(?:in|under|inside|within|below|from|by|across|throughout|of)`;
const beyond =
  "(?:outside(?: of)?|apart from|except(?: for| in)?|other than|besides|beyond|but(?: in| from)?)";
const verb =
  "calls?|uses?|imports?|requires?|references?|refers? to|mentions?|invokes?|consumes?|depends? on|" +
  "reads?|touch(?:es)?|" +
  "contains?|loads?|pulls? in|needs?|throws?|raises?|includes?|instantiates?|accesse?s?|reli?e?y?s? on|serves?";
const done =
  "called|used|imported|required|referenced|mentioned|invoked|consumed|reached|instantiated|loaded|" +
  "thrown|raised|needed|pulled in|read|found|exercised";
const noun =
  "calls?|uses?|usages?|imports?|references?|mentions?|occurrences?|callers?|users?|importers?|" +
  "consumers?|dependents?|trace|sign|call ?sites?|invocations?";
const nobody =
  "(?:nothing |nobody |no one |no (?:(?!longer)[\\w-]+ ){1,2}|none of the [\\w ]{3,20} |neither )";
const any = "(?: anything from| any| a single| the| its| directly| anywhere| out| from| of| to)*";
const kindOf =
  "(?: (?:function|method|class|helper|constant|variable|type|interface|export|package|library|" +
  "crate|gem|module|dependency|requirement|alias))?(?: (?:in|from|of) ¶)?";
const is = "(?:is|are|was|were|looks?|seems?|appears?)";

const rows: readonly [Frame["kind"], string][] = [
  ["outside", `\\b${beyond} ${s},? ${nobody}(?:else )?(?:ever )?(?<v>${verb})${any} ${o}`],
  ["outside", `\\b${nobody}(?:else )?${beyond} ${s} (?:ever )?(?<v>${verb})${any} ${o}`],
  ["outside", `\\bonly ${s} (?<v>${verb})${any} ${o}`],
  ["outside", `${o}${kindOf} ${is} only (?<v>${done}) (?:${within}|at) ${s}`],
  ["outside", `${o}${kindOf} ${is} (?<v>${done}) only (?:${within}|at) ${s}`],
  ["outside", `${o}${kindOf} ${is} (?<v>${done}) nowhere (?:else )?${beyond}(?: in| from)? ${s}`],
  [
    "outside",
    `${o}${kindOf} ${is} (?:not|never) (?<v>${done}) (?:anywhere )?${beyond}(?: in| from)? ${s}`,
  ],
  ["outside", `${o}${kindOf} ${is} (?<v>${done}) (?:${within}|at) ${s},? and nowhere else`],
  ["outside", `${o}${kindOf} (?:has|have) no (?:other )?(?<v>${noun}) ${beyond} ${s}`],
  [
    "outside",
    `${s} is the only (?:[\\w-]+ ){1,3}(?:(?:that|which|where|to) )?(?<v>${verb})${any} ${o}`,
  ],
  [
    "outside",
    `\\bthe only (?:place|file|module|code|one|spot|(?<v>${noun}))(?: (?:that|which|` +
      `where))?[^§¶]{0,24} ${o}(?: ${is} \\w+)? (?:is|are|lives?|sits?)(?: in| at| from)? ${s}`,
  ],
  [
    "outside",
    `\\ball (?:the )?(?<v>${noun}) (?:of|to) ${o} (?:are|live|sit|stand)(?: in| under| inside)? ${s}`,
  ],
  [
    "in",
    `${s} [^§¶.;]{0,30}\\bwithout (?<v>importing|using|calling|requiring|touching)${any} ${o}`,
  ],
  [
    "in",
    `${o} (?:does not|doesn't|do not|don't|never) (?<v>appear|appears|occur|occurs|show up|` +
      `stand)(?: anywhere)?(?: ${within} ${s})?`,
  ],
  [
    "in",
    `\\b(?:won't|will not|can't|cannot|don't) (?<v>find)(?: any| a)? ${o} (?:anywhere )?${within} ${s}`,
  ],
  [
    "in",
    `\\b(?:no|not a single|zero) (?<w>[\\w-]+ )?${o}(?: (?:\\w+ )?)?(?<v>calls?|reads?|statements?|` +
      `blocks?|comments?|macros?|keywords?|lines?|import|usages?|uses)?(?: (?:are|is|left|remains?|` +
      `anywhere|at all))* ?${within} ${s}`,
  ],
  [
    "in",
    `\\b(?:no|not a single|zero) ${o}(?: \\w+)?(?: (?:are|is))? (?<v>left|remain|remains|anywhere|` +
      `to be found)\\b(?: ${within} ${s})?`,
  ],
  // A mark like TODO needs no place.
  [
    "in",
    `\\b(?:no|zero|not a single)(?: \\w+)? (?<o>§)(?<v>)(?= (?:comments?|markers?|notes?)\\b|[.;,]|$)`,
  ],
];

let frames: Frame[] | undefined;

export const absenceFrames = (): readonly Frame[] =>
  (frames ??= rows.map(([kind, source]) => ({ kind, pattern: new RegExp(source, "di") })));

/** Without one of these no frame fits. */
export const saysAbsence = new RegExp(
  "\\b(?:no|none|nothing|nobody|never|not|\\w+n't|nowhere|neither|only|unused|dead|without|zero|" +
    "unreferenced|orphaned|unreachable|untested|all|exclusively|solely)\\b",
  "i",
);
