// Runs the verifier over labelled references, ten to a report, and counts what it said of each.

const flaggedVerdicts = new Set([
  "relocated",
  "stale",
  "altered",
  "missing",
  "out_of_range",
  "wrong_symbol",
  "outside_root",
]);
const perReport = 10;

/** Fills in `case.said`: flagged, verified, the suggestion, the verdict; answers with the time that checking took. */
export function judgeCases(cases, { verifyReport, repository }) {
  const reports = [];
  for (let at = 0; at < cases.length; at += perReport)
    reports.push(writeReport(cases.slice(at, at + perReport)));
  // Each answer is read and let go, as whoever asks for one does.
  const { time } = timed(() => {
    for (const { report, group, spans } of reports) {
      const { checks } = verifyReport(report, { reader: repository });
      for (const [at, item] of group.entries())
        item.said = summarise(
          checks.filter((check) => check.span[0] < spans[at][1] && check.span[1] > spans[at][0]),
        );
    }
  });
  return time;
}

/** Seconds of processor time (of all threads, which a busy machine does not stretch much) and by the clock. */
export function timed(work) {
  const clock = performance.now();
  const started = process.cpuUsage();
  const answer = work();
  const used = process.cpuUsage(started);
  return {
    answer,
    time: { processor: (used.user + used.system) / 1e6, clock: (performance.now() - clock) / 1000 },
  };
}

export const noTime = () => ({ processor: 0, clock: 0 });

export const addTime = (sum, time) => {
  sum.processor += time.processor;
  sum.clock += time.clock;
};

function writeReport(group) {
  let report = "## Result\n\n### Findings\n\n";
  const spans = group.map((item, index) => {
    report += `#### Finding ${index + 1}\n\n`;
    const start = report.length;
    report += item.text;
    const span = [start, report.length];
    report += "\n\n";
    return span;
  });
  return { report, group, spans };
}

function summarise(checks) {
  const flagged = checks.find((check) => flaggedVerdicts.has(check.verdict));
  const verified = checks.some((check) => check.verdict === "verified");
  const first = flagged ?? checks.find((check) => check.verdict === "verified") ?? checks[0];
  return {
    flagged: flagged !== undefined,
    verified: verified && !flagged,
    verdict: first?.verdict ?? "unseen",
    reason: first?.reason ?? "",
    suggestion: (
      checks.find(
        (check) => flaggedVerdicts.has(check.verdict) && check.suggestion && check.kind !== "path",
      ) ?? flagged
    )?.suggestion,
  };
}

/** The figures over a list of judged cases. */
export function figures(cases) {
  const right = cases.filter((item) => item.truth);
  const wrong = cases.filter((item) => !item.truth);
  const decidable = [...right.filter((item) => item.content), ...wrong];
  const placed = wrong.filter((item) => item.expected);
  const hit = placed.filter(
    ({ expected, said, lineless }) =>
      said.suggestion?.path === expected.path &&
      (lineless || said.suggestion.line === expected.line),
  );
  const share = (part, whole) => (whole.length === 0 ? Number.NaN : part.length / whole.length);
  return {
    references: cases.length,
    true: right.length,
    wrong: wrong.length,
    falseAlarm: share(
      right.filter((item) => item.said.flagged),
      right,
    ),
    falseAssurance: share(
      wrong.filter((item) => item.said.verified),
      wrong,
    ),
    recall: share(
      wrong.filter((item) => item.said.flagged),
      wrong,
    ),
    relocation: share(hit, placed),
    decisive: share(
      decidable.filter((item) => item.said.flagged || item.said.verified),
      decidable,
    ),
  };
}

export const groupBy = (list, key) => {
  const groups = new Map();
  for (const item of list) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
};
