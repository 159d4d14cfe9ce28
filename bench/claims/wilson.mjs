// The Wilson score interval of a share, at 95 %: what a small sample lets one say.
const z = 1.959964;

export function wilson(hits, all) {
  if (all === 0) return [0, 1];
  const share = hits / all;
  const centre = share + (z * z) / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  const scale = 1 + (z * z) / all;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}

/** "47 of 64 (73.4 %, 61.5–82.7)" */
export function shareWords(hits, all) {
  const percent = (value) => (100 * value).toFixed(1);
  if (all === 0) return "0 of 0";
  const [low, high] = wilson(hits, all);
  return `${hits} of ${all} (${percent(hits / all)} %, ${percent(low)}–${percent(high)})`;
}
