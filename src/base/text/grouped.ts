// Numbers in sentences: thousands separated, nouns in singular or plural. Written by hand because
// loading the locale data takes longer than a short run.

export const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** `1 turn`, `1,200 turns`; `many` is the plural if it is not the noun plus s. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
