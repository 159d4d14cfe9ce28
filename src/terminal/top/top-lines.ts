// The page of `retinue top`: the tree of sessions in columns, what the selected agent is about, and
// the keys. Nothing that an agent wrote reaches the screen with a control sequence in it.
import { counted } from "../../base/text/grouped.ts";
import { displayWidth, oneLine } from "../../base/text/printable.ts";
import { signOf } from "../live/agent-lines.ts";
import type { Look, Paint, Style } from "../paint.ts";
import { elapsed, isAtWork, markOf, markOfAnswer, type TreeRow } from "../view/agent-view.ts";
import type { SessionAgent } from "../view/session-agents.ts";
import { selectedAgent, selectedIndex, type TopView } from "./top-view.ts";

export type TopLook = Look & { rows: number; /** Epoch milliseconds. */ now: number };

/** Lines of the page that are no rows: title, columns, a rule, two about the agent, the keys. */
const frameLines = 6;

export const pageRows = (rows: number): number => Math.max(1, rows - frameLines);

export function topLines(view: TopView, look: TopLook): string[] {
  const { rows, width, paint } = look;
  const room = pageRows(rows);
  if (view.log) return logLines(view, look);
  const at = Math.max(0, selectedIndex(view));
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), view.rows.length - room));
  const shown = view.rows.slice(from, from + room);
  const columns = columnsFor(width);
  return [
    titleLine(view, look),
    paint(
      "dim",
      `   ${columns.map(({ head, width: wide, end }) => fitted(head, wide, end)).join(" ")}`.trimEnd(),
    ),
    ...shown.map((row) =>
      rowLine(row, { columns, look, isSelected: row.item.id === view.selected }),
    ),
    ...Array.from({ length: Math.max(0, room - shown.length) }, () => ""),
    paint("dim", "─".repeat(width)),
    ...aboutLines(selectedAgent(view), look),
    bottomLine(view, look),
  ];
}

function titleLine({ scope, rows }: TopView, { width, paint }: TopLook): string {
  const agents = rows.map(({ item }) => item).filter(({ isFlow }) => !isFlow);
  const count = (state: string): number => agents.filter((agent) => agent.state === state).length;
  const cost = agents.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const words = [
    `retinue top · ${scope}`,
    `${count("running")} running`,
    ...(count("asking") > 0 ? [`${count("asking")} asking`] : []),
    counted(agents.length, "agent"),
    ...(cost > 0 ? [`$${cost.toFixed(4)}`] : []),
  ];
  return paint("bold", oneLine(words.join(" · "), width));
}

type Column = {
  head: string;
  width: number;
  /** Numbers stand at the end of their column. */ end: boolean;
  cell: (row: TreeRow<SessionAgent>, now: number) => string;
  style?: (agent: SessionAgent) => Style | undefined;
};

const trustStyles = { good: "green", doubtful: "yellow", bad: "red" } as const;

const fixedColumns: readonly Column[] = [
  {
    head: "STATE",
    width: 9,
    end: false,
    cell: ({ item }) => item.state,
    style: ({ state }) => (state === "asking" ? "yellow" : undefined),
  },
  { head: "AGENT", width: 0, end: false, cell: ({ item, prefix }) => `${prefix}${item.label}` },
  { head: "MODEL", width: 10, end: false, cell: ({ item }) => shortModel(item.model) },
  { head: "TURNS", width: 5, end: true, cell: ({ item }) => String(item.turns) },
  { head: "TOKENS", width: 6, end: true, cell: ({ item }) => compact(item.tokens) },
  {
    head: "COST",
    width: 7,
    end: true,
    cell: ({ item: { costUsd } }) => (costUsd === null ? "" : money(costUsd)),
  },
  {
    head: "CTX",
    width: 4,
    end: true,
    cell: ({ item: { context } }) => (context === null ? "" : `${context}%`),
  },
  {
    head: "TRUST",
    width: 12,
    end: false,
    cell: ({ item }) => trustWord(item),
    style: (agent) => {
      const mark = trustWord(agent) === "" ? "open" : markOfAnswer(agent.judged);
      return mark === "good" || mark === "doubtful" || mark === "bad"
        ? trustStyles[mark]
        : undefined;
    },
  },
];

/** An outcome that is no success says more than the trust of its text. */
function trustWord({ state, judged: { trust, outcome } }: SessionAgent): string {
  if (isAtWork({ state })) return "";
  return outcome === "INVALID" || outcome === "FAILED" || outcome === "BLOCKED"
    ? outcome
    : (trust ?? "");
}

const wideFrom = 120;
const doesColumns = 24;

/** With more room the time, and what the agent does; the name takes what the others leave. */
function columnsFor(width: number): Column[] {
  const isWide = width >= wideFrom;
  const more: Column[] = isWide
    ? [
        { head: "TIME", width: 12, end: true, cell: ({ item }, now) => timeWords(item, now) },
        { head: "DOES", width: 0, end: false, cell: ({ item }) => item.doing || item.task },
      ]
    : [];
  const columns = [...fixedColumns, ...more].map((column) =>
    column.head === "MODEL" && isWide ? { ...column, width: 14 } : column,
  );
  const taken = columns.reduce((sum, column) => sum + column.width + 1, 0);
  // Cursor, sign and a blank stand before every row; behind the last cell there is no gap.
  const left = Math.max(12, width - 3 - taken + 1);
  const agent = isWide ? Math.min(30, Math.max(14, left - doesColumns)) : left;
  return columns.map((column) =>
    column.width > 0
      ? column
      : { ...column, width: column.head === "AGENT" ? agent : Math.max(1, left - agent) },
  );
}

function rowLine(
  row: TreeRow<SessionAgent>,
  { columns, look, isSelected }: { columns: readonly Column[]; look: TopLook; isSelected: boolean },
): string {
  const { paint, now } = look;
  const cells = columns.map(({ width, end, cell, style }) => {
    const text = fitted(cell(row, now), width, end);
    const own = style?.(row.item);
    return own ? paint(own, text) : isSelected ? paint("bold", text) : text;
  });
  const cursor = isSelected ? paint("cyan", "❯") : " ";
  return `${cursor}${signOf(markOf(row.item), paint)} ${cells.join(" ")}`.trimEnd();
}

/** Exactly so many columns. */
function fitted(text: string, width: number, end: boolean): string {
  const cut = oneLineKept(text, width);
  const fill = " ".repeat(Math.max(0, width - displayWidth(cut)));
  return end ? `${fill}${cut}` : `${cut}${fill}`;
}

/** The branches of the tree at the beginning stay where they are. */
function oneLineKept(text: string, width: number): string {
  const [branch = ""] = /^[│├└ ]*/.exec(text) ?? [];
  return `${branch}${oneLine(text.slice(branch.length), Math.max(1, width - displayWidth(branch)))}`;
}

const shortModel = (model: string): string => model.replace(/^[^:]*:/, "").replace(/^claude-/, "");

function compact(tokens: number): string {
  if (tokens < 10_000) return String(tokens);
  return tokens < 1_000_000
    ? `${Math.round(tokens / 1000)}k`
    : `${(tokens / 1_000_000).toFixed(1)}M`;
}

const money = (usd: number): string => `$${usd.toFixed(usd < 10 ? 4 : usd < 1000 ? 2 : 0)}`;

const timeWords = ({ startedAt, endedAt, state }: SessionAgent, now: number): string =>
  startedAt === null || (endedAt === null && !isAtWork({ state }))
    ? ""
    : elapsed((endedAt ?? now) - startedAt);

function aboutLines(agent: SessionAgent | undefined, { width, paint }: TopLook): string[] {
  if (!agent) return ["no agent has run here yet; `retinue run` starts one", ""];
  const { id, state, reason, task, doing, cwd, isBackground, checked } = agent;
  const how = reason === null || reason === "error" ? state : `${state} (${reason})`;
  const where = isBackground ? `${how}, in the background` : how;
  return [
    oneLine(`${agent.isFlow ? agent.sessionId : id} · ${where} · ${cwd}`, width),
    paint(
      "dim",
      oneLine([doing, checked, task].filter((words) => words !== "").join(" · "), width),
    ),
  ];
}

const keyWords = "↑↓  Enter log  s stop  m message  a answer  r resume  b background  q leave";

function bottomLine(view: TopView, { width, paint }: TopLook): string {
  const { input, stopping, note } = view;
  const name = oneLine(selectedAgent(view)?.label ?? "", 30);
  if (input) {
    const label = input.wish === "message" ? `message to ${name}: ` : `${name} goes on with: `;
    return `${paint("cyan", label)}${endOf(input.text, width - displayWidth(label) - 1)}█`;
  }
  if (stopping !== null)
    return paint("yellow", oneLine(`stop ${name}? y yes · any other key no`, width));
  return note === ""
    ? paint("dim", keyWords.slice(0, width))
    : paint("yellow", oneLine(note, width));
}

/** While somebody types, the end is what they look at. */
function endOf(text: string, width: number): string {
  const characters = Array.from(oneLine(text, Infinity) + (text.endsWith(" ") ? " " : ""));
  while (displayWidth(characters.join("")) > Math.max(1, width)) characters.shift();
  return characters.join("");
}

function logLines({ log }: TopView, { rows, width, paint }: TopLook): string[] {
  const { title, lines, back } = log!;
  const room = Math.max(1, rows - 2);
  const end = lines.length - back;
  const shown = lines.slice(Math.max(0, end - room), end);
  return [
    paint("bold", oneLine(title, width)),
    ...shown,
    ...Array.from({ length: room - shown.length }, () => ""),
    logKeys(back, { width, paint }),
  ];
}

const logKeys = (back: number, { width, paint }: { width: number; paint: Paint }): string =>
  paint(
    "dim",
    oneLine(`${back === 0 ? "follows the log" : `${back} lines back`} · ↑↓ scroll · q back`, width),
  );
