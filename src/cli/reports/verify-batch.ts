// Many reports at once: JSON lines in, one answer a line out, in order. A bad line is answered with
// its error and the rest goes on.
import { resolve } from "node:path";
import { errorText, RetinueError } from "../../base/errors.ts";
import { isObject } from "../../base/data/json.ts";
import { toJson } from "../../base/data/jsonl.ts";
import { limits } from "../../base/limits.ts";
import { readLines } from "../../base/files/read-lines.ts";
import { assessReport } from "../../verify/assess-report.ts";
import { faultsOf } from "../../verify/assessment.ts";
import type { Repository } from "../../source/repository.ts";
import type { ExitCode } from "../command.ts";
import type { Io } from "../io.ts";
import { openRepository } from "./open-repository.ts";
import { refuseEmpty, reportSource } from "./read-report.ts";
import { verificationWire } from "../render/verification.ts";

const openRoots = 4;

export async function verifyBatch(
  file: string | undefined,
  options: { root?: string; commit?: string },
  io: Io,
): Promise<ExitCode> {
  const repositories = new Map<string, Repository>();
  let flagged = false;
  for await (const line of readLines(reportSource(file, io), {
    maxCharacters: limits.verify.reportBytes,
  })) {
    if (io.signal.aborted) return 130;
    if ("text" in line && line.text.trim() === "") continue;
    let id: unknown = null;
    try {
      const { root, report, ...given } = readCase(
        "text" in line ? line.text : undefined,
        line.number,
      );
      id = given.id;
      refuseEmpty(report);
      const folder = resolve(io.cwd, root ?? options.root ?? ".");
      const assessed = await assessReport(report, {
        reader: repositoryOf(folder, options.commit, repositories),
      });
      flagged ||= faultsOf(assessed).count > 0;
      io.out(toJson({ id, ...verificationWire(assessed), report: undefined }));
    } catch (error) {
      if (!(error instanceof RetinueError)) throw error;
      flagged = true;
      io.out(toJson({ id, line: line.number, error: error.message }));
    }
  }
  return flagged ? 1 : 0;
}

/** The last few roots stay indexed; a batch usually speaks of one. */
function repositoryOf(
  root: string,
  commit: string | undefined,
  open: Map<string, Repository>,
): Repository {
  const known = open.get(root);
  if (known) return known;
  const made = openRepository(root, { commit });
  if (open.size >= openRoots) open.delete(open.keys().next().value!);
  open.set(root, made);
  return made;
}

function readCase(
  text: string | undefined,
  number: number,
): { id: unknown; root?: string; report: string } {
  const expected = 'expected {"id": …, "root": "folder", "report": "text"}';
  if (text === undefined)
    throw new RetinueError("usage", `line ${number} is too long; ${expected}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RetinueError(
      "usage",
      `line ${number} is not JSON (${errorText(error)}); ${expected}`,
    );
  }
  if (
    !isObject(value) ||
    typeof value["report"] !== "string" ||
    (value["root"] !== undefined && typeof value["root"] !== "string")
  )
    throw new RetinueError("usage", `line ${number} has no report; ${expected}`);
  return {
    id: value["id"] ?? number,
    report: value["report"],
    ...(typeof value["root"] === "string" ? { root: value["root"] } : {}),
  };
}
