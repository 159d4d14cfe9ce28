// The promises, held against the disk and against what was seen: after every process for what it told, at the end for everything.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { registeredRuns } from "../../src/transcripts/lock/run-register.ts";
import { loadTranscript } from "../../src/transcripts/reading/load-transcript.ts";
import type { AgentOutput, AgentResult } from "../../src/manager/session/agent-result.ts";
import { agentIdOf } from "./faulty-fs.ts";
import type { OpenProcess } from "./open-process.ts";
import {
  filesBelow,
  readTranscript,
  type DiskLine,
  type DiskSpec,
  type DiskTranscript,
} from "./read-disk.ts";
import { problem, repairMark, type Agent, type AgentLife, type World } from "./world.ts";

/** Everything that a disk can tell, whatever happened before. */
export async function checkDisk(world: World, open: OpenProcess): Promise<void> {
  for (const path of filesBelow(open.life.dir).filter((file) => file.endsWith(".jsonl"))) {
    const agent = world.agents.find((one) => one.id === agentIdOf(path));
    if (!agent) {
      problem(world, `there is a transcript that nobody started: ${path}`);
      continue;
    }
    const disk = readTranscript(path);
    checkLines(world, agent, disk);
    checkAcknowledged(world, agent, disk);
    checkLives(world, agent, disk);
    checkNotWider(world, agent, disk);
    await checkLoads(world, agent, disk);
  }
  for (const agent of world.agents) {
    if (
      agent.id !== "" &&
      !existsSync(open.transcript(agent.id)) &&
      world.acknowledged.some((one) => one.agent === agent)
    )
      problem(world, `P1: the transcript of agent ${agent.index} is gone`);
  }
}

function checkLines(world: World, agent: Agent, { lines, broken }: DiskTranscript): void {
  if (broken.length > 0)
    problem(world, `P2: agent ${agent.index}: lines ${broken.join(", ")} are no JSON`);
  if (lines.length > 0 && lines[0]!.subtype !== "retinue_session" && !world.shrunk.has(agent.id))
    problem(world, `agent ${agent.index}: the first line is no header`);
  let previous = 0;
  for (const { seq } of lines) {
    if (seq === undefined) continue;
    if (!(seq > previous))
      problem(world, `P5: agent ${agent.index}: seq ${seq} stands after ${previous}`);
    previous = seq;
  }
}

/** A file that somebody else cut has lost what stood behind the cut; nothing else is excused. */
function checkAcknowledged(world: World, agent: Agent, { lines }: DiskTranscript): void {
  const shrunkTo = world.shrunk.get(agent.id) ?? Infinity;
  const found = new Map(lines.map((line) => [`${line.runId}/${line.seq}`, line]));
  for (const told of world.acknowledged) {
    if (told.agent !== agent || told.size > shrunkTo) continue;
    const line = found.get(`${told.runId}/${told.seq}`);
    if (!line)
      problem(
        world,
        `P1: agent ${agent.index}: ${told.type} ${told.seq} was told and is not on disk`,
      );
    else if (told.message !== undefined && told.message !== essence(line))
      problem(world, `P1: agent ${agent.index}: ${told.seq} is on disk with another content`);
  }
}

const essence = ({ message }: DiskLine): string =>
  JSON.stringify({ role: message?.role, content: message?.content });

function checkLives(world: World, agent: Agent, { lines }: DiskTranscript): void {
  for (const runId of new Set(lines.map((line) => line.runId).filter((id) => id !== undefined))) {
    const own = lines.filter((line) => line.runId === runId);
    const ends = own.filter((line) => line.subtype === "run_end");
    // A second end only corrects the first: the disk did not keep it.
    if (ends.slice(1).some(({ outcome }) => outcome?.reason !== "storage") || ends.length > 2)
      problem(world, `agent ${agent.index}: ${ends.length} ends of one life on disk`);
    if (ends.length > 0 && own.at(-1) !== ends.at(-1))
      problem(world, `agent ${agent.index}: lines of a life stand behind its end`);
    if (own[0]!.subtype !== "spawn" && !world.shrunk.has(agent.id))
      problem(world, `agent ${agent.index}: a life does not begin with its spawn line`);
    const { maxTurns = Infinity } = own.find((line) => line.spec)?.spec?.limits ?? {};
    const replies = own.filter(
      (line) => line["origin"] === "reply" || line.type === "assistant",
    ).length;
    if (
      own.filter((line) => line["origin"] === "prompt" || line["origin"] === "interrupted").length >
      1
    )
      problem(world, `agent ${agent.index}: one life was prompted twice`);
    checkTime(world, agent, own);
    const repairs = own.filter(isRepair).length;
    if (repairs > own.filter((line) => line.subtype === "spawn").length)
      problem(world, `agent ${agent.index}: its report went back ${repairs} times`);
    if (replies > maxTurns)
      problem(
        world,
        `P6: agent ${agent.index}: ${replies} turns in one life, the limit is ${maxTurns}`,
      );
    const life = agent.lives.findLast((one) => one.runId === runId);
    if (life?.result && !life.isContested) checkEnd(world, agent, { life, own, end: ends.at(-1) });
  }
}

/** Its deadline holds for the whole life, in whatever processes; only hooks and a deaf tool may add to it. */
function checkTime(world: World, agent: Agent, own: readonly DiskLine[]): void {
  const { timeoutMs = Infinity } = own.find((line) => line.spec)?.spec?.limits ?? {};
  const times = own.map((line) => Date.parse(String(line["timestamp"])));
  const tookMs = Math.max(...times) - Math.min(...times);
  if (tookMs > timeoutMs + 10_000)
    problem(world, `P6: agent ${agent.index}: a life of ${tookMs} ms, the limit is ${timeoutMs}`);
}

function checkEnd(
  world: World,
  agent: Agent,
  { life, own, end }: { life: AgentLife; own: DiskLine[]; end: DiskLine | undefined },
): void {
  if (life.faults.length > 0 || world.shrunk.has(agent.id)) return;
  const { state, reason } = life.result!;
  const told = `${state} ${reason ?? ""}`;
  const written = `${end?.outcome?.state} ${end?.outcome?.reason ?? ""}`;
  if (written !== told)
    problem(
      world,
      `agent ${agent.index}: it was told as ${told} and stands on disk as ${end ? written : "not ended"}`,
    );
  const objections = own.filter((line) => line["origin"] === "hook" && !isRepair(line)).length;
  if (life.ends - objections !== 1)
    problem(
      world,
      `agent ${agent.index}: SubagentStop was fired ${life.ends} times with ${objections} objections`,
    );
}

const isRepair = (line: DiskLine): boolean =>
  line["origin"] === "hook" && JSON.stringify(line.message).includes(repairMark);

/** What is read from the disk is what was told. */
export function checkTold(world: World, agent: Agent, onDisk: AgentOutput): void {
  const life = agent.lives.at(-1);
  const told = life?.result;
  if (
    !told ||
    life.isContested ||
    life.faults.length > 0 ||
    world.shrunk.has(agent.id) ||
    told.error?.includes("did not react") ||
    told.reason === "moved"
  )
    return;
  const { header: _header, ...verification } = told.verification ?? {};
  const essence = (
    { state, reason, content, report, metrics }: AgentResult,
    found: unknown,
  ): string =>
    JSON.stringify([state, reason, content, report, found, metrics.tokens_used, metrics.tool_uses]);
  // After a crash the same file lies elsewhere.
  const settled = (text: string): string => text.replace(/disk-\d+/g, "disk");
  const [before, now] = [
    essence(told, told.verification && verification),
    essence(onDisk as AgentResult, onDisk.verification),
  ].map(settled) as [string, string];
  let at = 0;
  while (at < before.length && before[at] === now[at]) at++;
  if (before !== now)
    problem(
      world,
      `P1: agent ${agent.index} was told as …${before.slice(Math.max(0, at - 60), at + 200)} and reads as …${now.slice(Math.max(0, at - 60), at + 200)}`,
    );
}

const width = ["plan", "dontAsk", "default", "acceptEdits", "bypassPermissions"];

/** Every later life against the first one. */
function checkNotWider(world: World, agent: Agent, { lines }: DiskTranscript): void {
  const specs = lines.filter((line) => line.subtype === "spawn").map((line) => line.spec!);
  const [first, ...later] = specs;
  if (!first || world.shrunk.has(agent.id)) return;
  for (const spec of later)
    for (const fault of wider(spec, first)) problem(world, `P9: agent ${agent.index}: ${fault}`);
}

function wider(spec: DiskSpec, first: DiskSpec): string[] {
  const faults: string[] = [];
  const more = (what: string, now: readonly string[], before: readonly string[]): void => {
    const added = now.filter((item) => !before.includes(item));
    if (added.length > 0) faults.push(`${what}: ${added.join(", ")}`);
  };
  more("tools it did not have", spec.tools, first.tools);
  more("allow rules it did not have", spec.policy.rules.allow, first.policy.rules.allow);
  more("deny rules that are gone", first.policy.rules.deny, spec.policy.rules.deny);
  more("ask rules that are gone", first.policy.rules.ask, spec.policy.rules.ask);
  more("disallowed tools that are allowed", first.policy.disallowed, spec.policy.disallowed);
  if (width.indexOf(spec.policy.mode) > width.indexOf(first.policy.mode))
    faults.push(`the mode ${spec.policy.mode} after ${first.policy.mode}`);
  if (
    spec.limits.maxTurns > first.limits.maxTurns ||
    spec.limits.timeoutMs > first.limits.timeoutMs ||
    (spec.limits.maxTokens ?? Infinity) > (first.limits.maxTokens ?? Infinity)
  )
    faults.push("wider limits");
  if (
    spec.place.cwd !== first.place.cwd ||
    spec.model !== first.model ||
    spec.agentType !== first.agentType
  )
    faults.push("another folder, model or type");
  return faults;
}

/** Loading finds nothing to complain of but what was done to the file, and the same last number. */
async function checkLoads(
  world: World,
  agent: Agent,
  { path, lines }: DiskTranscript,
): Promise<void> {
  try {
    const loaded = await loadTranscript(path);
    const bad = loaded.problems.filter(
      ({ code }) => code !== "torn" && !(code === "spill" && world.shrunk.has(agent.id)),
    );
    if (bad.length > 0)
      problem(
        world,
        `P2: agent ${agent.index}: ${bad.map(({ code, message }) => `${code} ${message}`).join("; ")}`,
      );
    const last = Math.max(0, ...lines.map((line) => line.seq ?? 0));
    if (loaded.lastSeq < last)
      problem(
        world,
        `P5: agent ${agent.index}: the last number is ${last}, and ${loaded.lastSeq} was loaded`,
      );
  } catch (error) {
    problem(world, `P2: agent ${agent.index}: loading threw ${String(error)}`);
  }
}

/** After an orderly end nothing of any run is left: no slot, no timer, no open file, no lock, no hook, no report. */
export function checkNothingLeft(
  world: World,
  { manager, session, disk, life }: OpenProcess,
): void {
  if (manager.list().length > 0)
    problem(world, `P6: ${manager.list().length} runs are left in the manager`);
  if (disk.open().length > 0) problem(world, `P6: ${disk.open().length} transcripts are left open`);
  for (const path of filesBelow(life.dir))
    if (/\.lock|\.tmp$/.test(path) && !isOld(path, world)) problem(world, `P6: ${path} is left`);
  const registered = registeredRuns(join(session.paths.dir, "subagents"));
  for (const { id, index } of world.agents)
    if (registered.holderOf(id)) problem(world, `P6: agent ${index} is left on the register`);
  const shared = session.hooks.hooksFor().length;
  for (const agent of world.agents)
    if (agent.id !== "" && session.hooks.hooksFor(agent.id).length !== shared)
      problem(world, `P6: hooks of agent ${agent.index} are left`);
}

/** Left by a crash for an agent that nobody has touched since. */
function isOld(path: string, world: World): boolean {
  const agent = world.agents.find((one) => one.id === agentIdOf(path));
  return agent !== undefined && agent.lives.at(-1)?.process !== world.process;
}
