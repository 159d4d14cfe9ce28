// Sentences made from frames: what agents say of checks and deliveries in several languages, asserted,
// denied, planned, conditional or told of others. They only add to what the reader learns from.
import { readFileSync } from "node:fs";

/**
 * `checks`: what is checked; `good`: that it ended well; `own`, `tails`: what stands around it; `unsaid`:
 * the stance and forms in which X is the check and G the good end; `deeds`: whole sentences; `others`: those
 * of no result at all.
 */
const { checks, good, own, tails, unsaid, deeds, others } = JSON.parse(
  readFileSync(new URL("frames.json", import.meta.url), "utf8"),
);

function randomOf(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

const pick = (list, random) => list[Math.floor(random() * list.length)];
const upper = (text) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** Gives {text, labels} like the messages that were written by hand. */
export function framedMessages() {
  const random = randomOf(11);
  const found = new Map();
  const add = (text, subject, stance) =>
    found.set(text, { text, labels: [{ subject, stance, words: text.replace(/[.。]$/, "") }] });
  for (const [subject, languages] of Object.entries(checks))
    for (const [language, names] of Object.entries(languages)) {
      const isEnglish = language === "en";
      const nouns = names.split("|");
      const goods = good[language].split("|");
      const joint = /zh|ja/.test(language) ? "" : " ";
      for (let n = 0; n < (isEnglish ? 60 : 6); n++) {
        const lead = isEnglish ? pick(own, random) : "";
        const tail = isEnglish ? pick(tails, random) : "";
        add(
          `${upper(`${lead}${pick(nouns, random)}${joint}${pick(goods, random)}${tail}`)}.`,
          subject,
          "ok",
        );
      }
      for (const [stance, forms] of unsaid[language])
        for (const form of forms.split("|"))
          for (let n = 0; n < (isEnglish ? 2 : 1); n++)
            add(
              `${upper(form.replace("X", () => pick(nouns, random)).replace(/G/, () => pick(goods, random)))}.`,
              subject,
              stance,
            );
    }
  for (const [subject, stances] of Object.entries(deeds))
    for (const [stance, forms] of Object.entries(stances))
      for (const form of forms)
        for (let n = 0; n < 8; n++) add(filled(form, random), subject, stance);
  for (const form of others)
    for (let n = 0; n < 8; n++) {
      const text = filled(form, random);
      found.set(text, { text, labels: [] });
    }
  return [...found.values()];
}

/** `(a|b)` becomes either. */
const filled = (form, random) =>
  form.replace(/\(([^()]*\|[^()]*)\)/g, (_, ways) => pick(ways.split("|"), random));
