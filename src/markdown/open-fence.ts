// A fence that is being read, line by line, until it closes.
import { blockMarks } from "./block-marks.ts";
import type { CodeLine, MarkdownBlock } from "./markdown-block.ts";

type Opening = { block: MarkdownBlock; mark: string; indent: number };

export class OpenFence {
  readonly block: MarkdownBlock;
  readonly #mark: string;
  readonly #indent: number;
  readonly #endsFence: (heading: string) => boolean;
  readonly #nested: string[] = [];
  readonly #lines: CodeLine[] = [];

  constructor({ block, mark, indent }: Opening, endsFence: (heading: string) => boolean) {
    this.block = block;
    this.#mark = mark;
    this.#indent = indent;
    this.#endsFence = endsFence;
  }

  /** What the line is: code of this fence, the mark that closes it, or text behind a fence left open. */
  take(text: string, start: number): "code" | "close" | "behind" {
    if (this.#mark === "</pre>") return this.#takePre(text, start);
    const heading = text.includes("#")
      ? blockMarks.heading.exec(text.slice(0, 400).trimStart())
      : null;
    if (heading?.[2] && this.#endsFence(heading[2])) return "behind";
    const bare = text.slice(0, 400).replace(/^[ \t>]+/, "");
    const mark =
      bare.startsWith("``") || bare.startsWith("~~") ? blockMarks.fence.exec(bare) : null;
    if (mark?.index === 0 && this.#closes(mark[1]!, mark[2]!.trim())) return "close";
    const from = shared(text, this.#indent);
    this.#lines.push({ text: text.slice(from), start: start + from });
    return "code";
  }

  #takePre(text: string, start: number): "code" | "close" {
    const close = text.search(/(?:<\/code>\s*)?<\/pre>/i);
    const kept = close < 0 ? text : text.slice(0, close);
    if (kept !== "" || close < 0) this.#lines.push({ text: kept, start });
    return close < 0 ? "code" : "close";
  }

  /** A document inside a fence has fences of its own: they open with an info string and close without one. */
  #closes(mark: string, info: string): boolean {
    const inner = this.#nested.at(-1);
    if (info !== "") {
      if (/^(?:markdown|md|mdx)\b/i.test(this.block.info) && inner === undefined)
        this.#nested.push(mark);
      return false;
    }
    if (inner !== undefined && mark[0] === inner[0] && mark.length >= inner.length) {
      this.#nested.pop();
      return false;
    }
    return mark[0] === this.#mark[0] && mark.length >= this.#mark.length;
  }

  close(): void {
    const last = this.#lines.at(-1);
    this.block.lines = this.#lines;
    this.block.end = last ? last.start + last.text.length : this.block.start;
  }
}

/** How many of the first `indent` characters are blanks or marks of quotes. */
function shared(text: string, indent: number): number {
  let at = 0;
  while (at < indent && (text[at] === " " || text[at] === "\t" || text[at] === ">")) at++;
  return at;
}
