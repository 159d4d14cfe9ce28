// One claim, one verdict: resolves the path, compares what the report says with what stands there, and says why in words.
import type { Claim } from "./claims.ts";
import { contentPlaces } from "./elsewhere.ts";
import { canStandIn, judgeEvidence } from "./judge-evidence.ts";
import type { Judgement } from "./judgement.ts";
import { unreadable } from "./judgement.ts";
import { resolvePath } from "./path-shape.ts";
import type { Repository } from "./repository.ts";
import type { ClaimKind, Place } from "./verdict.ts";

/** The verdict on `claim` in `repo`. Never throws. */
export function judgeClaim(claim: Claim, repo: Repository): Judgement {
  const kind = kindOf(claim);
  if (claim.external)
    return {
      verdict: "unverifiable",
      kind: "path",
      reason: "an address outside this repository is not opened",
    };
  const resolution = resolvePath(claim.path, repo);
  if (resolution.kind === "outside")
    return {
      verdict: "outside_root",
      kind,
      reason: `${claim.path} leads outside the root and was not opened`,
    };
  if (claim.polarity === "create" || claim.polarity === "absent")
    return judgeAbsent(
      claim,
      resolution.kind === "file" && !resolution.abbreviated ? resolution.path : undefined,
    );
  if (resolution.kind === "missing") return judgeMissing(claim, kind, repo);
  if (resolution.kind === "directory")
    return {
      verdict: claim.range ? "missing" : "exists_only",
      kind,
      reason: claim.range
        ? `${resolution.path || "."} is a folder; it has no lines`
        : `the folder ${resolution.path || "."} exists`,
      path: resolution.path,
    };
  if (resolution.kind === "several") return judgeSeveral(claim, resolution.paths, repo);
  const judged = judgeFile(claim, resolution.path, repo);
  return rescued(claim, judged, repo) ?? judged;
}

/** A bare file name that also fits another file: where the content stands exactly there, the name was ambiguous and not wrong. */
function rescued(claim: Claim, judged: Judgement, repo: Repository): Judgement | undefined {
  if (
    claim.path.includes("/") ||
    !["relocated", "wrong_symbol", "altered", "missing", "out_of_range"].includes(judged.verdict)
  )
    return undefined;
  const others = repo
    .endingIn(claim.path)
    .filter((path) => path !== judged.path)
    .slice(0, 50);
  const fits = others.filter((path) => fitting(claim, path, repo) !== undefined);
  return fits.length === 0
    ? undefined
    : {
        ...judged,
        verdict: "ambiguous",
        reason: `${claim.path} fits ${others.length + 1} files; in ${judged.path} ${judged.reason}, but it stands in ${fits[0]}`,
        ...(fits.length === 1
          ? { suggestion: { path: fits[0]!, line: claim.range?.[0] ?? 1 } }
          : {}),
      };
}

/** The verdict on the claim in this file where it is verified there, else nothing. */
function fitting(claim: Claim, path: string, repo: Repository): Judgement | undefined {
  const state = repo.open(path);
  if (!state.ok || !canStandIn(claim, state.file)) return undefined;
  const judged = judgeFile(claim, path, repo);
  return judged.verdict === "verified" ? judged : undefined;
}

function kindOf(claim: Claim): ClaimKind {
  if (claim.polarity === "create" || claim.polarity === "created") return "file_claim";
  if (claim.quotes.some((quote) => quote.accuses !== "never")) return "quote";
  if (claim.symbols.some((symbol) => symbol.accuses !== "never" && !symbol.plain)) return "symbol";
  return claim.range ? "location" : "path";
}

function judgeAbsent(claim: Claim, path: string | undefined): Judgement {
  const kind = claim.polarity === "create" ? "file_claim" : "path";
  if (claim.polarity === "create" && path !== undefined && claim.range === null)
    return {
      verdict: "altered",
      kind,
      reason: `${path} exists already; a file to create must be new`,
      path,
    };
  return {
    verdict: "unverifiable",
    kind,
    reason:
      claim.polarity === "create"
        ? `${claim.path} is to be created and does not exist yet`
        : "a claim of absence proves nothing that can be compared",
    ...(path === undefined ? {} : { path }),
  };
}

function judgeFile(claim: Claim, path: string, repo: Repository): Judgement {
  const kind = kindOf(claim);
  const state = repo.open(path);
  if (!state.ok) return unreadable(state.why, { path, kind });
  const { file } = state;
  if (claim.range) {
    const [first, last] = claim.range;
    if (first < 1)
      return {
        verdict: "out_of_range",
        kind,
        reason: `there is no line ${first}; lines count from 1`,
        path,
      };
    if (last < first)
      return {
        verdict: "out_of_range",
        kind,
        reason: `the range ${first}-${last} ends before it begins`,
        path,
      };
    if (first > file.lineCount || last > file.lineCount) return outOfRange(claim, path, repo);
  }
  const judged = judgeEvidence(claim, file, { repo, kind });
  return claim.unsure && judged.verdict === "verified"
    ? {
        ...judged,
        verdict: "exists_only",
        reason: `${judged.reason}; the number beside the path was not understood`,
      }
    : judged;
}

/** Past the end: still out of range, but the right place is named when the content is found. */
function outOfRange(claim: Claim, path: string, repo: Repository): Judgement {
  const state = repo.open(path);
  const count = state.ok ? state.file.lineCount : 0;
  const reason = `${path} has ${count} line${count === 1 ? "" : "s"}, so there is no line ${Math.max(...claim.range!)}`;
  // Asked about the line behind the last: nothing stands there, and of a name its definition is the better guess.
  const inside = state.ok
    ? judgeEvidence({ ...claim, range: [count + 1, count + 1], defines: true }, state.file, {
        repo,
        kind: kindOf(claim),
      })
    : undefined;
  const better = inside?.suggestion;
  if (claim.loose && !better)
    return {
      verdict: "exists_only",
      kind: kindOf(claim),
      reason: `${path} exists; the number beside it is no line of it`,
      path,
    };
  return {
    verdict: "out_of_range",
    kind: kindOf(claim),
    reason: better ? `${reason}; it stands at ${better.path}:${better.line}` : reason,
    path,
    ...(better ? { suggestion: better, unique: inside?.unique ?? false } : {}),
  };
}

function judgeSeveral(claim: Claim, paths: string[], repo: Repository): Judgement {
  const judged = paths.slice(0, 100).map((path) => judgeFile(claim, path, repo));
  const verified = judged.filter((item) => item.verdict === "verified");
  if (verified.length === 1) return verified[0]!;
  const inRange = judged.filter((item) => item.verdict !== "out_of_range");
  if (inRange.length === 0 && claim.range)
    return {
      ...judged[0]!,
      reason: `none of the ${paths.length} files named ${claim.path} has a line ${Math.max(...claim.range)}`,
    };
  const flagged = judged.every((item) =>
    ["wrong_symbol", "missing", "altered", "out_of_range", "relocated"].includes(item.verdict),
  );
  const best =
    flagged && paths.length <= 100
      ? (judged.find((item) => item.suggestion?.path === item.path) ??
        judged.find((item) => item.verdict === "altered") ??
        inRange[0])
      : undefined;
  if (best && verified.length === 0)
    return {
      ...best,
      unique: false,
      reason: `none of the ${paths.length} files that ${claim.path} fits has it there: ${best.reason}`,
    };
  return {
    verdict: "ambiguous",
    kind: kindOf(claim),
    reason: `${claim.path} fits ${paths.length} files (${paths.slice(0, 3).join(", ")}${paths.length > 3 ? ", …" : ""}) and the content cannot decide`,
  };
}

/** The path is nowhere: the content may stand in a file of a similar name, or anywhere else. */
function judgeMissing(claim: Claim, kind: ClaimKind, repo: Repository): Judgement {
  const alike = repo.near(claim.path);
  const near = alike.length > 0 ? alike : repo.misspelt(claim.path);
  const fits = near.slice(0, 50).flatMap((path): Place[] => {
    const judged = fitting(claim, path, repo);
    return judged ? [{ path, line: claim.range?.[0] ?? judged.line ?? 1 }] : [];
  });
  const found = fits.length > 0 ? fits : contentPlaces(claim, near, repo);
  const reason = `there is no ${claim.path}`;
  if (found.length > 0)
    return {
      verdict: "relocated",
      kind,
      reason: `${reason}; the same content stands at ${found[0]!.path}:${found[0]!.line}`,
      suggestion: found[0]!,
      unique: found.length === 1,
    };
  if (!repo.complete)
    return { verdict: "missing", kind, reason: `${reason} among the files that were listed` };
  return {
    verdict: "missing",
    kind,
    reason: near[0] ? `${reason}; the nearest is ${near[0]}` : reason,
    ...(near[0] && near.length === 1
      ? { suggestion: { path: near[0], line: claim.range?.[0] ?? 1 } }
      : near[0]
        ? { suggestion: { path: near[0], line: claim.range?.[0] ?? 1 }, unique: false }
        : {}),
  };
}
