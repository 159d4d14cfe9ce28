// The shapes of sentences that say where something is not: nothing in `a` calls `b`, `b` is not used in `a`, only
// `a` uses `b`, no tests for `b`. `o`: what is spoken of; `s`: the places; `v`: what would be done there.

/** in: not in the places; outside: nowhere but there; tests: in no test. */
export type Frame = { kind: "in" | "outside" | "tests"; pattern: RegExp };

const list = "[§¶](?:(?:,| and| or| nor|, and|, or|,? not in|, nor in) [§¶])*";
const o = `(?:the )?(?<o>${list})`;
const s = `(?:the |any of |any file of )?(?<s>${list})(?: (?:folder|directory|package|module|file|class|crate))?`;
const within = `(?:in|under|inside|within|below|from|by|across|throughout|of)`;
const beyond =
  "(?:outside(?: of)?|apart from|except(?: for| in)?|other than|besides|beyond|but(?: in| from)?)";
const base =
  "call|use|import|require|reference|refer to|mention|invoke|consume|depend on|read|touch|contain|" +
  "have|load|pull in|need|throw|raise|include|instantiate|access|rely on";
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
  [
    "tests",
    `\\b(?:no|without) (?:unit |existing |dedicated |integration )?(?:tests?|specs?|` +
      `test cases?)(?: files?)?(?: exists?| (?:that|which))?[, ]+(?:for|of|covers?|covering|` +
      `exercis\\w+|touch\\w*|mentions?|calls?|uses?|names?|tests?|imports?)[^§¶]{0,24} ?${o}`,
  ],
  ["tests", `${o}${kindOf} (?:has|have) no (?:unit |dedicated )?(?:tests?|specs?)\\b(?! files?)`],
  [
    "tests",
    `${o}${kindOf} (?:is|are) (?:completely |entirely |currently |still )?(?:untested|(?:not|` +
      `never) (?:tested|exercised|covered)(?: by (?:any|a) tests?)?)\\b`,
  ],
  ["tests", `\\b(?:isn't|aren't) (?:tested|covered)(?<o>(?!))`],
  ["tests", `\\bnothing tests ${o}`],
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
    `(?<!${beyond} the \\w+ |${beyond} \\w+ )\\b${nobody}(?:else )?(?:${within} ${s},? )?(?:else |` +
      `ever |currently |there |in there )*(?<v>${verb})${any} ${o}`,
  ],
  [
    "in",
    `${o}${kindOf}(?: (?:is|are|was|were))?(?: [\\w-]+){0,5}?,? (?:but |and |yet )?(?:(?:is|` +
      `are) )?(?:never|not|no longer)(?: (?:currently|actually|directly|ever|even|` +
      `yet))? (?<v>${done})\\b(?: (?:anywhere|at all|directly))*(?: ${within} ${s})?`,
  ],
  [
    "in",
    `${o}${kindOf} (?:isn't|aren't|wasn't) (?<v>${done})\\b(?: anywhere| at all)*(?: ${within} ${s})?`,
  ],
  [
    "in",
    `${o}${kindOf} (?:${is} )?(?:[\\w ¶]{0,40} and )?(?<v>${done}) nowhere\\b(?! (?:else|but|except|` +
      `outside))(?: ${within} ${s})?`,
  ],
  [
    "in",
    `${o}${kindOf} ${is}(?: now| completely| entirely| simply)* (?<v>unused|dead(?: code)?|` +
      `unreferenced|orphaned|unreachable)\\b(?! \\w+(?<! in| under| inside| and))(?: ${within} ${s})?`,
  ],
  [
    "in",
    `\\b(?:no|zero|not a single|without a(?:ny)?|(?:isn't|is not|aren't) (?:a single|any|one))` +
      `(?: other| further| remaining| direct|` +
      ` single)* (?<v>${noun}) (?:of|to|for|from) ${o}(?: (?:are|is|left|remains?|exists?|anywhere|` +
      `found))*(?: ${within} ${s})?`,
  ],
  [
    "in",
    `${o}${kindOf} (?:has|have) (?:an? (?:definition|declaration|prototype) but )?(?:no|zero|no longer any)` +
      `(?: other| further| direct| production| known)* (?<v>(?:${noun})(?:(?: or| and|,) (?:${noun}))*)\\b` +
      `(?! (?:outside|to|of|for)\\b(?! (?:its|the|their)(?: own)? (?:def|decl|proto)))` +
      `(?: left| remaining| anywhere| at all)*(?: ${within} ${s})?`,
  ],
  [
    "in",
    `${o}${kindOf} ${is} (?<v>${done}) (?:by|in|from) (?:no|not a single)(?: other)? ` +
      "(?:code|file|module|component|view|page|template|class|function|script|caller)\\b",
  ],
  ["in", `\\bneither (?:in |from )?${s} (?<v>${verb})${any} ${o}`],
  [
    "in",
    `${s} (?:does not|doesn't|do not|don't|never|nowhere)(?: ever| directly| even|` +
      ` actually)?(?<v> (?:${base}|${verb}))${any} ${o}`,
  ],
  ["in", `${s} (?:has|have|contains?) no (?:\\w+ )?(?<v>${noun}) (?:of|to|for) ${o}`],
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
