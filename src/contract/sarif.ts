// SARIF 2.1.0, the form that code hosts and editors read results in: only the parts that are used
// here, always complete.

export type SarifLevel = "error" | "warning" | "note";

/** Lines and columns count from 1, columns in UTF-16 units. */
export type SarifPlace = {
  path: string;
  startLine?: number;
  startColumn?: number;
  endLine?: number;
  endColumn?: number;
};

export type SarifItem = {
  rule: string;
  level: SarifLevel;
  message: string;
  at: SarifPlace | null;
  related: { place: SarifPlace; message: string }[];
  fingerprint: string;
  properties: Record<string, string | number | boolean | null>;
};

export type SarifRule = { id: string; text: string };

type Region = { startLine: number; startColumn?: number; endLine?: number; endColumn?: number };
type Location = {
  id?: number;
  physicalLocation: { artifactLocation: { uri: string; uriBaseId: string }; region?: Region };
  message?: { text: string };
};
type Result = {
  ruleId: string;
  ruleIndex: number;
  level: SarifLevel;
  message: { text: string };
  locations: Location[];
  relatedLocations?: Location[];
  partialFingerprints: { "retinue/v1": string };
  properties: SarifItem["properties"];
};

export type SarifLog = {
  $schema: string;
  version: "2.1.0";
  runs: {
    tool: {
      driver: {
        name: string;
        semanticVersion: string;
        rules: { id: string; shortDescription: { text: string } }[];
      };
    };
    columnKind: "utf16CodeUnits";
    originalUriBaseIds: { ROOT: { description: { text: string } } };
    results: Result[];
  }[];
};

export function sarifLog({
  rules,
  items,
  version,
}: {
  rules: readonly SarifRule[];
  items: readonly SarifItem[];
  version: string;
}): SarifLog {
  const used = rules.filter(({ id }) => items.some(({ rule }) => rule === id));
  const results = items.map((item): Result => ({
    ruleId: item.rule,
    ruleIndex: used.findIndex(({ id }) => id === item.rule),
    level: item.level,
    message: { text: item.message },
    locations: item.at ? [location(item.at)] : [],
    ...(item.related.length > 0
      ? {
          relatedLocations: item.related.map(({ place, message }, index) => ({
            id: index + 1,
            ...location(place),
            message: { text: message },
          })),
        }
      : {}),
    partialFingerprints: { "retinue/v1": item.fingerprint },
    properties: item.properties,
  }));
  const driver = {
    name: "retinue",
    semanticVersion: version,
    rules: used.map(({ id, text }) => ({ id, shortDescription: { text } })),
  };
  const run = {
    tool: { driver },
    columnKind: "utf16CodeUnits" as const,
    originalUriBaseIds: {
      ROOT: { description: { text: "The folder that the report's paths are relative to." } },
    },
    results,
  };
  return {
    $schema:
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [run],
  };
}

function location({ path, startLine, ...rest }: SarifPlace): Location {
  const region = startLine === undefined || startLine < 1 ? {} : { region: { startLine, ...rest } };
  return {
    physicalLocation: { artifactLocation: { uri: uriOf(path), uriBaseId: "ROOT" }, ...region },
  };
}

/**
 * A path as a relative reference: every character that means something in an address is escaped.
 */
const uriOf = (path: string): string =>
  path
    .toWellFormed()
    .replace(/^\.\//, "")
    .replace(/^\/+/, "")
    .split("/")
    .map((part) => encodeURIComponent(part))
    .join("/");
