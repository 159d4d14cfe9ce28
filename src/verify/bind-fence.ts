// Reads a fenced block: whose code it quotes (info string, path comment, the line before), line-number gutters, grep output, frames, diffs.
import { bindText } from "./bind-text.ts";
import { claimAt, codeLike, isCode } from "./claims.ts";
import type { Claim, QuoteEvidence } from "./claims.ts";
import { toRange } from "./path-token.ts";
import type { Range } from "./path-token.ts";
import { cleanPath, isPathLike } from "./path-shape.ts";
import { recordClaims } from "./records.ts";
import { findReferences } from "./references.ts";
import type { Reference } from "./references.ts";
import type { Repository } from "./repository.ts";
import { terminalViews } from "./shell-views.ts";
import { linesAfter } from "./spoken-lines.ts";
import type { Piece, Unit } from "./units.ts";

export type Fence = {
  /** Claims that stand inside the fence or in its info string. */
  claims: Claim[];
  /** Code that the text around the fence may have given a place: one quotation, read in one or two ways. */
  quotes: QuoteEvidence[];
};

const data = /^(?:|json[c5]?l?|ya?ml|toml|xml|html|text|txt|sarif)$/i;
const output =
  /^(?:|text|txt|plain|plaintext|console|log|output|shell-session|terminal|grep|rg|ripgrep|traceback|stacktrace|trace|pytb|sh|bash|shell)$/i;

/** Everything that one fence says by itself. `proposed`: the words around it call its code a proposal. */
export function readFence(unit: Unit, repo: Repository, proposed: boolean): Fence {
  const language = /^[\w+#-]*/.exec(unit.info)![0];
  if (/^diff|^patch/i.test(language) || unit.lines.some(({ text }) => /^@@ -\d+/.test(text)))
    return readDiff(unit.lines, repo, proposed);
  if (diagram.test(language))
    return {
      claims: unit.lines.slice(0, mostRows).flatMap((line) => labelClaims(line, repo)),
      quotes: [],
    };
  const accuses = proposed ? "never" : "always";
  const inInfo = infoRecord(unit, repo) ?? infoReference(unit, repo);
  if (inInfo)
    return {
      claims: [
        claimAt(inInfo, {
          quotes: quotesOf(
            unit.lines.map(({ text }) => text),
            accuses,
          ),
        }),
      ],
      quotes: [],
    };
  const lines = unit.lines.map(({ text }) => text);
  const recorded =
    data.test(language) && unit.lines.length > 0
      ? recordClaims(lines.join("\n"), unit.lines[0]!.start, repo)
      : [];
  if (recorded.length > 0) return { claims: recorded, quotes: [] };
  const first = unit.lines.findIndex(({ text }) => text.trim() !== "");
  const shown = output.test(language)
    ? terminalViews(unit.lines, repo, (texts) => quotesOf(texts, accuses))
    : undefined;
  const printed = shown ? [...shown.claims, ...outputClaims(shown.rest, repo)] : [];
  const inComment = first < 0 ? undefined : commentReference(unit.lines[first]!, repo);
  const headed =
    inComment !== undefined &&
    printed.length === 1 &&
    printed[0]!.quotes.length === 0 &&
    /^\s*(?:\/\/|#|--(?!>)|\/\*|<!--|;|%|={2,})/.test(lines[first]!);
  if (printed.length > 0 && !headed) return { claims: printed, quotes: [] };
  if (inComment)
    return {
      claims: [claimAt(inComment, { quotes: quotesOf(lines.slice(first + 1), accuses) })],
      quotes: [],
    };
  const beside = unit.lines.slice(0, 60).flatMap((line) => besideCode(line, repo, accuses));
  if (beside.length > 0) return { claims: beside, quotes: [] };
  return { claims: [], quotes: quotesOf(lines, accuses) };
}

const diagram = /^(?:mermaid|dot|graphviz|plantuml|puml|d2)$/i;
const mostRows = 400;

/** `A["foo<br/>src/x.ts:45"] --> B`: what stands in one label belongs together. */
function labelClaims({ start, text }: Piece, repo: Repository): Claim[] {
  return [
    ...text
      .slice(0, 1000)
      .matchAll(/"([^"]+)"|\[([^[\]"]+)\]|\(([^()"]+)\)|\{([^{}"]+)\}|\|([^|"]+)\|/g),
  ].flatMap((match) => {
    const label = match[0].slice(1, -1).replace(/<br\s?\/?>|\\n/g, (tag) => " ".repeat(tag.length));
    const { references, inline } = findReferences(label, repo);
    return bindText(
      label,
      references.filter(({ ranges, path }) => ranges.length > 0 || path.includes("/")),
      { inline, offset: start + match.index + 1 },
    );
  });
}

/** `code // src/x.ts:45`: a comment that is nothing but a place says where its line stands. */
function besideCode(
  { start, text }: Piece,
  repo: Repository,
  accuses: QuoteEvidence["accuses"],
): Claim[] {
  const match =
    text.length > 600
      ? null
      : /^(.*\S\s+(?:\/\/|#|--|\/\*|<!--|;)\s*)(\S+:L?\d[\d:–-]*)\s*(?:\*\/|-->)?\s*$/.exec(text);
  const [reference] = match ? findReferences(match[2]!, repo, true).references : [];
  if (!match || !reference || reference.external || reference.ranges.length !== 1) return [];
  const code = match[1]!.replace(/\s+\S+\s*$/, "");
  return [
    claimAt(placed(reference, start + match[1]!.length), { quotes: [{ lines: [code], accuses }] }),
  ];
}

type Placed = { start: number; end: number; path: string; range: Range | null };

function placed(reference: Reference, offset: number): Placed {
  return {
    start: offset + reference.start,
    end: offset + reference.end,
    path: reference.path,
    range: reference.ranges[0] ?? null,
  };
}

/** ```ts file="src/x.ts" line=45. */
function infoRecord(unit: Unit, repo: Repository): Placed | undefined {
  if (!/line/i.test(unit.info)) return undefined;
  const info = unit.info.replace(/\b(?:title|filename|name)=/i, (key) =>
    "file=".padStart(key.length),
  );
  return recordClaims(info, unit.start + unit.text.indexOf(unit.info), repo)[0];
}

/** ```ts src/x.ts:45, ```ts title="src/x.ts", ```45:52:src/x.ts. */
function infoReference(unit: Unit, repo: Repository): Placed | undefined {
  if (unit.info === "") return undefined;
  const offset = unit.start + unit.text.indexOf(unit.info);
  const numbered = /^(?:[\w+#-]+[: ])?(\d+)[:-](\d+):(\S+)/.exec(unit.info);
  if (
    numbered &&
    isPathLike(cleanPath(numbered[3]!, repo), repo, { inCode: true, hasLine: true, named: true })
  )
    return {
      start: offset,
      end: offset + numbered[0].length,
      path: cleanPath(numbered[3]!, repo),
      range: [Number(numbered[1]), Number(numbered[2])],
    };
  const masked = unit.info
    .replace(/\b[A-Za-z-]+=|[{}"',;]/g, (part) => " ".repeat(part.length))
    .replace(/^[\w+#-]+:(?=\S*[./])/, (part) => " ".repeat(part.length));
  const reference = findReferences(masked, repo, true).references.find(
    (item) => !item.external && (item.ranges.length > 0 || /[./]/.test(item.path)),
  );
  return reference && placed(reference, offset);
}

const commentLead =
  /^\s*(?:\/\/+|#+|--|;+|%+|\/\*+|<!--|\{\/\*|"""|'|REM\b|={2,}|-{3,})?\s*(?:-{2,}\s|={2,}\s)?\s*(?:(?:file(?:name)?|path|from|in|source|at|see)\s*:?\s+)?/i;

/** The first line names the file: a comment with a path, or a path alone. */
function commentReference(line: Piece, repo: Repository): Placed | undefined {
  if (line.text.length > 400) return undefined;
  const lead = commentLead.exec(line.text)![0];
  const rest = line.text.slice(lead.length).replace(/\s*(?:\*\/\}?|-->|"""|={2,}|-{3,})\s*$/, "");
  const { references } = findReferences(rest, repo, true);
  const reference = references[0];
  if (!reference || reference.external || reference.start > 1 || reference.quote !== undefined)
    return undefined;
  const commented = /^\s*(?:\/|#|--|;|%|<!--|\{\/|"""|=|REM)/.test(lead);
  const behind = rest.slice(reference.end);
  const known =
    reference.ranges.length > 0 ||
    reference.path.includes("/") ||
    repo.hasName(reference.path) ||
    repo.hasExtension(/\.(\w+)$/.exec(reference.path)?.[1] ?? "");
  const alone = known && behind.replace(/[`:)\s]/g, "") === "";
  // A comment of the code itself may speak of a file too.
  const heads =
    reference.ranges.length > 0 || /\w\s*:?\s+$/.test(lead) || /^\s*(?:[([–—-].*|$)/.test(behind);
  if (!(commented && heads) && !alone) return undefined;
  const numbered =
    reference.ranges.length > 0
      ? null
      : /^\s*[([](?:L|lines?\s)?(\d{1,7})(?:\s?[-–]\s?L?(\d{1,7}))?[)\]]/i.exec(behind);
  const place = placed(reference, line.start + lead.length);
  return numbered ? { ...place, range: toRange(numbered[1]!, numbered[2]) } : place;
}

const barGutter = /^\s*(?:>\s*)?[L+]?(\d{1,7})\s*[|│┃→]\s?(.*)$/;
const plainGutter =
  /^\s*(?:>\s*)?[L+]?(\d{1,7})(?:\t| ?:\s?|-(?=\s|\S)|\s{2,}|[.)]\s|\s*[|│┃→]\s?)(.*)$/;
/** "[45] code", and git blame's "0f3a9c1d (Name 2024-01-02 45) code". */
const otherGutter =
  /^(?:\s*\[|\^?[0-9a-f]{7,40}\s[^()\n]{0,200}\([^()\n]{0,120}\s)(\d{1,7})[\])]\s?(.*)$/;

/** Numbers at the start of every line were printed beside the code, or they belong to it: both readings count. */
function quotesOf(lines: string[], accuses: QuoteEvidence["accuses"]): QuoteEvidence[] {
  const marks = /^\s*(?:[|│]\s*)?\^[\^~\s-]*$|^\s*[|│]\s*(?:[~^].*)?$/;
  const filled = lines.filter(
    (line) => line.trim() !== "" && !/^\s*(?:\.{3}|…|⋮|--+)\s*$/.test(line) && !marks.test(line),
  );
  // A bar that does not stand on every line belongs to the code.
  const gutter = filled.every((line) => barGutter.test(line)) ? barGutter : plainGutter;
  const gutters = filled.map(
    (line) => gutter.exec(line) ?? /^\s*(\d{1,7})()$/.exec(line) ?? otherGutter.exec(line),
  );
  const numbers = gutters.map((match) => (match ? Number(match[1]) : Number.NaN));
  const numbered =
    filled.length > 0 &&
    numbers.every((number, index) => number > 0 && (index === 0 || number > numbers[index - 1]!));
  if (
    !numbered ||
    (filled.length === 1 &&
      !/^\s*(?:>\s*)?L?\d+(?:\s*[|│→:]|\t)/.test(filled[0]!) &&
      !otherGutter.test(filled[0]!))
  )
    return [{ lines, accuses }];
  return [
    { lines, accuses: "never" },
    { lines: gutters.map((match) => match![2]!), accuses, gutter: numbers },
  ];
}

/** grep and ripgrep output, stack frames: each line is a reference of its own. */
function outputClaims(lines: Piece[], repo: Repository): Claim[] {
  const claims: Claim[] = [];
  let heading: { path: string; at: Piece } | undefined;
  let excerpt = false;
  let sourceAt = -1;
  for (const [index, line] of lines.slice(0, 20_000).entries()) {
    if (index === sourceAt) continue;
    const single = frameClaim(line, repo) ?? grepClaim(line, repo) ?? printedClaim(line, repo);
    const numbered = /^(\d{1,7})[:-](?!\d+:)(.*)$/.exec(line.text);
    const reported =
      heading && !numbered?.[2]!.startsWith(" ")
        ? /^\s*(?:line\s+)?(\d{1,7})(?::\d{1,5})?(?=[\s:-]+\S)/i.exec(line.text)
        : null;
    if (single) {
      claims.push(single);
      const underlined = /^\s*\^[\^~\s]*$/.test(lines[index + 2]?.text ?? "");
      if (underlined) sourceAt = index + 1;
      if (underlined || /^\s*File "/.test(line.text))
        sourceBelow(single, lines[index + 1], underlined ? undefined : repo);
      excerpt =
        /-->|:::/.test(line.text) || /^\s*>?\s*\d*\s*[|│]/.test(lines[index + 1]?.text ?? "");
      if (excerpt) heading = { path: single.path, at: line };
      continue;
    }
    const shown = excerpt && heading ? /^\s*>?\s*(\d{1,7})\s*[|│]\s?(.*)$/.exec(line.text) : null;
    const command = /^\s*[$%]\s(?:\S+\s)+?(\S+)\s*$/.exec(line.text)?.[1];
    if (shown)
      claims.push(
        claimAt(
          {
            start: line.start,
            end: line.start + shown[0].length,
            path: heading!.path,
            range: [Number(shown[1]), Number(shown[1])],
          },
          { quotes: [{ lines: [shown[2]!], accuses: "always" }] },
        ),
      );
    else if (excerpt && /^[\s|│=^~-]*(?:\^|~|=|$|\|)/.test(line.text)) continue;
    else if (
      command &&
      isPathLike(cleanPath(command, repo), repo, { inCode: true, hasLine: true, named: true })
    )
      heading = { path: cleanPath(command, repo), at: line };
    else if (
      heading &&
      reported &&
      isMessage(line.text.slice(reported[0].length).replace(/^[\s:-]+/, ""))
    )
      claims.push(
        claimAt(
          {
            start: line.start,
            end: line.start + reported[0].length,
            path: heading.path,
            range: [Number(reported[1]), Number(reported[1])],
          },
          {},
        ),
      );
    else if (heading && numbered)
      claims.push(
        claimAt(
          {
            start: line.start,
            end: line.start + numbered[1]!.length,
            path: heading.path,
            range: [Number(numbered[1]), Number(numbered[1])],
          },
          { quotes: [{ lines: [numbered[2]!], accuses: "always" }] },
        ),
      );
    else if (
      line.text.trim() !== "" &&
      !/\s/.test(line.text.trim()) &&
      isPathLike(cleanPath(line.text.trim(), repo), repo, {
        inCode: true,
        hasLine: true,
        named: true,
      })
    )
      heading = { path: cleanPath(line.text.trim(), repo), at: line };
    else if (!numbered && line.text.trim() !== "--") heading = undefined;
  }
  return claims;
}

/** Python prints the source of a frame below it; what is underlined is source whatever it looks like. */
function sourceBelow(claim: Claim, below: Piece | undefined, repo: Repository | undefined): void {
  const code = below?.text.trim() ?? "";
  if (claim.quotes.length > 0 || code.startsWith("^") || !/[\w]/.test(code)) return;
  if (
    repo &&
    (!/^\s{4,}\S/.test(below!.text) || frameClaim(below!, repo) || grepClaim(below!, repo))
  )
    return;
  claim.quotes.push({ lines: [code], accuses: "always" });
}

const outputLead =
  /^(?:[A-Za-z ]{0,40}\b(?:from|in)\s+|[a-z]+\s'[^'\n]{0,80}'(?:\s\(\d+\))?\spanicked\sat\s+(?:'[^'\n]{0,200}',\s+)?)?[\s>|│╭╰┌└├─*•✗✖×-]*(?:(?:-->|-+>|→|:::|at|in|from|by|File|see|\d+[.:)])\s+)*["'([]?$/i;

/** A place that a tool prints at the start of a line or alone on it: `--> a.rs:12:5`, `a.go:12 +0x1d`, `a.ts(12,5): error`. */
function printedClaim({ start, text }: Piece, repo: Repository): Claim | undefined {
  if (text.length > 600 || !/\d/.test(text)) return undefined;
  const { references } = findReferences(text, repo, true);
  const [reference] = references;
  if (
    references.length === 1 &&
    reference!.ranges.length === 0 &&
    /^\s*(?:✓|✔|✗|✘|×|❯|PASS|FAIL|ok|not ok)\s+$/.test(text.slice(0, reference!.start)) &&
    reference!.path.includes("/")
  )
    return claimAt(placed(reference!, start), {});
  if (references.length !== 1 || reference!.external || reference!.ranges.length !== 1)
    return undefined;
  const lead = text.slice(0, reference!.start);
  const rest = text.slice(reference!.end);
  const column = /^\s*["')\]]*$/.test(rest)
    ? /^[\s│├└╰─|+`\\>*-]*([A-Za-z_$][\w$.:#]*)(?:\([^()]*\))?(?:\s{2,}|\s*\.{3,}\s*|\t)[([<]?$/.exec(
        lead,
      )
    : null;
  if (column)
    return claimAt(placed(reference!, start), {
      symbols: [{ name: column[1]!, plain: true, accuses: "always", encloses: false }],
    });
  // A bare name in a tree of folders may be any of several files.
  if (
    !outputLead.test(lead) ||
    (/[├└╰]/.test(lead) &&
      !reference!.path.includes("/") &&
      repo.endingIn(reference!.path).length !== 1)
  )
    return undefined;
  const barred = /^\s*[|│]\s?(.+)$/.exec(rest)?.[1];
  const code = barred ?? /^\s{2,}(?=\S)(?![#←]|\/\/|<-|--)(.+)$/.exec(rest)?.[1];
  if (
    code !== undefined &&
    (barred === undefined ? codeLike(code) : isCode(code)) &&
    !isMessage(code)
  )
    return claimAt(placed(reference!, start), { quotes: [{ lines: [code], accuses: "always" }] });
  return /^["')\]]*(?:\s*$|:\s*(?:in\b|$)|\s+\+0x|\s*:?\s+(?:\d+:\d+\s+)?\S)/.test(rest) ||
    isMessage(rest.replace(/^["')\]:\s]+/, ""))
    ? claimAt(placed(reference!, start), {})
    : undefined;
}

/** `path:45:code`; a compiler's message behind the number is no quotation, and behind a column and a blank stands mostly such. */
export function grepClaim({ start, text }: Piece, repo: Repository): Claim | undefined {
  const match =
    /^([^\s:][^:\n]{0,300}?)[:-](\d{1,7})[:-](\d{1,5}:)?(.*)$/.exec(text) ??
    /^([^\s|][^|\n]{0,300}?)\|(\d{1,7})(?:\scol\s(\d{1,5}))?\|\s?(.*)$/.exec(text);
  if (
    !match ||
    !isPathLike(cleanPath(match[1]!, repo), repo, { inCode: true, hasLine: true, named: true })
  )
    return undefined;
  const range: Range = [Number(match[2]), Number(match[2])];
  // Behind deeper blanks stands code, whatever it is called.
  const message = isMessage(match[4]!) && !/^(?:\s{2,}|\t)/.test(match[4]!);
  const found = match[4]!.trim();
  const name = /^[A-Za-z_$][\w$]+$/.test(found)
    ? [{ name: found, plain: true, accuses: "always" as const, encloses: false }]
    : [];
  return claimAt(
    {
      start,
      end: start + match[1]!.length + 1 + match[2]!.length,
      path: cleanPath(match[1]!, repo),
      range,
    },
    {
      symbols: message ? [] : name,
      quotes:
        message || found === ""
          ? []
          : [
              {
                lines: [match[4]!],
                accuses: match[3] && /^ \S/.test(match[4]!) ? "never" : "always",
              },
            ],
    },
  );
}

/** A compiler's or linter's words instead of code. */
export function isMessage(text: string): boolean {
  return /^\s*(?:\d+:\s*)?(?:(?:fatal|syntax|internal)\s+)?(?:error|warning|warn|note|info|hint|remark|undefined reference|✖|✗|×|in\s+[`'"<]|[A-Z]{1,4}\d{3,5})(?![\w(=.?]|\s*=)/i.test(
    text,
  );
}

/** One frame of a stack trace, as Node, Python, Java and others print it. */
export function frameClaim({ start, text }: Piece, repo: Repository): Claim | undefined {
  const python = /^\s*File "([^"\n]{1,300})", line (\d{1,7})(?:, in ([\w<>.]+))?/.exec(text);
  const node = python
    ? null
    : /^\s*(?:at|from|by|#\d+)\s+(?:(?:async |new )?([\w$.<>[\] ]{1,120}?)(?:\s+|(?=\()))?\(?(?:file:\/\/)?([^\s()]{1,300}?):(\d{1,7})(?::\d{1,6})?\)?(?::in .*)?\s*$/.exec(
        text,
      );
  const other =
    python || node
      ? null
      : /^\s*(?:at|#\d{1,4})\s+(?:0x[0-9a-f]{1,16}\s+in\s+)?([\w$.:<>~]{1,120})\s?\([^()\n]{0,200}\)\s+(?:at|in)\s+(\S{1,300}?):(?:line\s)?(\d{1,7})\s*$/.exec(
          text,
        );
  const [path, line, name] = python
    ? [python[1], python[2], python[3]]
    : node
      ? [node[2], node[3], node[1]]
      : other
        ? [other[2], other[3], other[1]!.replaceAll("::", ".")]
        : [];
  if (
    path === undefined ||
    !isPathLike(cleanPath(path, repo), repo, { inCode: true, hasLine: true, named: true })
  )
    return undefined;
  const symbol = name
    ?.split(/[.\s]/)
    .filter((part) => /^[A-Za-z_$][\w$]*$/.test(part))
    .at(-1);
  const at = text.indexOf(path);
  const tail = linesAfter(text.slice(at + path.length));
  const end = start + at + path.length + (tail?.length ?? `:${line}`.length);
  return claimAt(
    { start: start + at, end, path: cleanPath(path, repo), range: [Number(line), Number(line)] },
    {
      symbols:
        symbol === undefined
          ? []
          : [{ name: symbol, plain: true, accuses: "outside", encloses: true, frame: true }],
    },
  );
}

/** A diff without a hunk's head has no place of its own: its old side, or its new one, stands where the text before says. */
function readDiff(lines: Piece[], repo: Repository, proposed: boolean): Fence {
  if (lines.some(({ text }) => /^@@ -\d+|^(?:---|\+\+\+) /.test(text)))
    return { claims: diffClaims(lines, repo), quotes: [] };
  const side = (sign: string) =>
    lines
      .map(({ text }) => text)
      .filter((line) => !/^[+-]/.test(line) || line[0] === sign)
      .map((line) => line.slice(1));
  return {
    claims: [],
    quotes: [
      {
        lines: side("-"),
        other: { lines: side("+"), line: 0 },
        accuses: proposed ? "never" : "always",
      },
    ],
  };
}

/** Each hunk is a reference: its old side stands in the file, in a proposal too, or its new side does. */
function diffClaims(lines: Piece[], repo: Repository): Claim[] {
  const claims: Claim[] = [];
  let path: { text: string; start: number; end: number } | undefined;
  for (let index = 0; index < lines.length; index++) {
    const { text, start } = lines[index]!;
    const header = /^(?:\+\+\+|---) (?:[ab]\/)?([^\t\n]+)/.exec(text);
    if (header && header[1] !== "/dev/null")
      path = {
        text: cleanPath(header[1]!.trim(), repo),
        start: start + text.indexOf(header[1]!),
        end: start + text.trimEnd().length,
      };
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (
      !hunk ||
      !path ||
      !isPathLike(path.text, repo, { inCode: true, hasLine: true, named: true })
    )
      continue;
    const body: string[] = [];
    while (
      index + 1 < lines.length &&
      /^[ +\-\\]|^$/.test(lines[index + 1]!.text) &&
      !/^(?:---|\+\+\+) /.test(lines[index + 1]!.text)
    )
      body.push(lines[++index]!.text);
    const side = (sign: string) =>
      body
        .filter((line) => line === "" || line[0] === " " || line[0] === sign)
        .map((line) => line.slice(1));
    const range: Range = [Number(hunk[1]), Number(hunk[1])];
    claims.push(
      claimAt(
        { start, end: start + hunk[0].length, path: path.text, range },
        {
          quotes: [
            {
              lines: side("-"),
              other: { lines: side("+"), line: Number(hunk[3]) },
              accuses: "always",
            },
          ],
        },
      ),
    );
  }
  return claims;
}
