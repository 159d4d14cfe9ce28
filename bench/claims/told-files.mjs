// Fits how plainly a message tells that it changed a file. Nobody labels anything: in honest messages the record says
// which of the named files were written, and the words around a name are learned from that.
import { fitHead, sumOf } from "./stance/fit-head.mjs";

const mostFeatures = 2_500;

/** Of one message: {is, features, path, fate} a mention; those that nobody can tell are left out. */
export function mentionCases({ final, unsupported, setting }, room) {
  const fates = room.fatesOf(setting);
  const mentions = room.mentionsOf(final);
  return mentions.flatMap((mention) => {
    const fate = fates.of(mention.path);
    const is = fate === "written";
    // Of a message that is false somewhere only what the record shows is taken.
    if (fate === "open" || (!is && unsupported)) return [];
    const features = room.mentionFeatures(mention, room.besidesOf(mention, mentions, fates));
    return [{ is, features, path: mention.path, fate, text: mention.statement.words, weight: 1 }];
  });
}

export const fitTold = (cases) => fitHead(cases, mostFeatures);

export const asText = ({ bias, weights }) => [
  String(Math.round(100 * bias)),
  ...[...weights]
    .map(([feature, weight]) => [feature, Math.round(100 * weight)])
    .filter(([, weight]) => weight !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([feature, weight]) => `${weight} ${feature}`),
];

export { sumOf };
