// A whole number with its thousands set apart. By hand: the locale machinery takes longer to load than a short run.

export const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
