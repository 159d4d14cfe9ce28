// What a simple checker would say. They are given the parsed reference, so that only the checking is compared.
import { hasWord } from "./facts.mjs";

const fileOf = (fact, pack) => pack.files.get(fact.path.replace(/^\.\//, "").replaceAll("\\", "/"));
const inRange = (fact, file) =>
  fact.lineless ||
  fact.kind === "path" ||
  fact.kind === "create" ||
  (fact.line >= 1 &&
    fact.end >= fact.line &&
    Math.max(fact.line, fact.ranged ? fact.end : 0) <= file.lines.length);

export const baselines = {
  "path exists": (fact, pack) => fileOf(fact, pack) !== undefined,
  "+ line in range": (fact, pack) => {
    const file = fileOf(fact, pack);
    return file !== undefined && inRange(fact, file);
  },
  "+ quote is a substring": (fact, pack) => {
    const file = fileOf(fact, pack);
    if (!file || !inRange(fact, file)) return false;
    const quote = fact.kind === "block" ? fact.block.join("\n") : fact.code;
    return quote === undefined || file.text.includes(quote);
  },
  "symbol within 15 lines": (fact, pack) => {
    const file = fileOf(fact, pack);
    if (!file || !inRange(fact, file)) return false;
    if (fact.symbol === undefined) return true;
    const near = fact.lineless
      ? file.lines
      : file.lines.slice(Math.max(0, fact.line - 16), fact.line + 15);
    return near.some((line) => hasWord(line, fact.symbol));
  },
};
