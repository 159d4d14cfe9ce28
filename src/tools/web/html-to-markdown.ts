// Converts HTML to Markdown in a thread of its own, with bounds of time and memory: a hostile page
// costs only its thread.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { packageFolder } from "../../base/files/package-folder.ts";
import { limits } from "../../base/limits.ts";

// CommonJS as text, because a thread needs a file or a text, and a bundle has no separate file for
// it.
const program = `
const { parentPort, workerData } = require("node:worker_threads");
const Turndown = require(workerData.turndown);
const service = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
service.remove(["script", "style", "noscript", "template", "iframe", "svg"]);
parentPort.postMessage(service.turndown(workerData.html));
`;

/** The page as Markdown, or its bare text if the converter takes too long. */
export async function htmlToMarkdown(
  html: string,
  timeoutMs: number = limits.webFetch.convertMs,
): Promise<string> {
  return (await convert(html, timeoutMs)) ?? bareText(html);
}

/** The build puts the converter into one file beside the library; a checkout uses the package. */
function converterPath(): string {
  const built = join(packageFolder(), "dist/vendor/turndown.cjs");
  return existsSync(built) ? built : createRequire(import.meta.url).resolve("turndown");
}

function convert(html: string, timeoutMs: number): Promise<string | undefined> {
  const turndown = converterPath();
  const worker = new Worker(program, {
    eval: true,
    env: {},
    workerData: { turndown, html },
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
  });
  return new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, undefined);
    const settle = (text?: string): void => {
      clearTimeout(timer);
      resolve(text);
    };
    worker.once("message", (text: unknown) => settle(typeof text === "string" ? text : undefined));
    worker.once("error", () => settle());
    worker.once("exit", () => settle());
  }).finally(() => void worker.terminate());
}

/** The text between the tags, in one pass. */
function bareText(html: string): string {
  const lower = html.toLowerCase();
  const parts: string[] = [];
  for (let at = 0; at < html.length;) {
    const open = html.indexOf("<", at);
    if (open < 0) return [...parts, html.slice(at)].join(" ").trim();
    parts.push(html.slice(at, open).trim());
    const hidden = ["script", "style"].find((name) => lower.startsWith(name, open + 1));
    const close =
      hidden === undefined ? html.indexOf(">", open) : endOf(lower, `</${hidden}`, open);
    if (close < 0) break;
    at = close + 1;
  }
  return parts.filter((part) => part !== "").join("\n");
}

function endOf(text: string, tag: string, from: number): number {
  const at = text.indexOf(tag, from);
  return at < 0 ? -1 : text.indexOf(">", at);
}
