// Numbers in sentences: thousands set apart, and the noun in its number. By hand: the locale
// machinery takes longer to load than a short run.

export const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** `1 turn`, `1,200 turns`; `many` where the plural is not the noun and an s. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
