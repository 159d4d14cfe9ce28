// The floors of the house: which rooms exist, who may import whom, which rooms are pure. This table is the architecture.
export const floors = [
  ["base", "markdown", "process"],
  ["model", "contract", "permissions", "definitions", "settings"],
  ["events", "tool", "transcripts", "source"],
  ["loop", "verify", "tools", "hooks", "skills", "memory", "mcp", "offline", "checks", "patterns"],
  ["executors"],
  ["manager"],
  ["flows"],
  ["terminal", "restate", "mcp-server", "harnesses", "serve", "acp", "telemetry"],
  ["app"],
  ["cli"],
];

/** Rooms without `node:` imports, clock or randomness. */
export const pureRooms = new Set(["contract", "permissions", "events", "loop", "patterns"]);

/** The one permitted step sideways. */
export const sidewaysAllowed = new Set(["transcripts>events"]);

/** `testing` sees floors 0–2 and is seen by tests and by the demo only. */
export const testingRoom = {
  name: "testing",
  highestFloor: 2,
  importers: [/\.test\.ts$/, /^src\/cli\/demo/],
};

/** Counted on formatted code; no file is exempt. */
export const caps = {
  fileLines: 300,
  functionLines: 60,
  parameters: 3,
  complexity: 15,
  expressionLength: 200,
  folderFiles: 12,
  lineWidth: 120,
  crumbLines: 25,
};

/** A file exports what it is named after; commands and package roots have names of their own. */
export const fileNameRule = {
  exempt: [/\/index\.ts$/, /^src\/cli\/commands\//, /^src\/cli\/retinue\.ts$/],
};

export const floorOf = (room) => floors.findIndex((rooms) => rooms.includes(room));
