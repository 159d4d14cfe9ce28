// What a person's answer means. Types do not bind every caller's asker, so whatever is no yes is a
// no with its reason.
import { isObject } from "../../base/data/json.ts";
import { errorText } from "../../base/errors.ts";
import { oneLine } from "../../base/text/printable.ts";

/** `same`: this very call is not asked about again. */
export type GivenAnswer =
  | { behavior: "deny"; reason: string }
  | { behavior: "allow"; same: boolean; rules: string[]; keep: "session" | "local" };

/** An error where asking failed. */
export function readAnswer(answer: unknown): GivenAnswer {
  if (answer === "once" || answer === "session")
    return { behavior: "allow", same: answer === "session", rules: [], keep: "session" };
  if (isObject(answer) && answer["answer"] === "always" && Array.isArray(answer["rules"]))
    return {
      behavior: "allow",
      same: false,
      rules: answer["rules"].filter((rule) => typeof rule === "string"),
      keep: answer["keep"] === "local" ? "local" : "session",
    };
  return { behavior: "deny", reason: refusalWords(answer) };
}

function refusalWords(answer: unknown): string {
  if (answer === "no") return "a person said no";
  if (isObject(answer) && answer["answer"] === "no") {
    const because = oneLine(String(answer["because"]), 2_000);
    return answer["by"] === "deadline" ? because : `a person said no: ${because}`;
  }
  if (answer === undefined) return "nobody answered";
  if (answer instanceof Error) return `asking failed: ${errorText(answer)}`;
  const given = oneLine(JSON.stringify(answer) ?? "undefined", 60);
  return `the answer to the question, ${given}, is none of "once", "session", "no" and "always" with rules`;
}
