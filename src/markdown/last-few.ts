// Remembers what was read from the last few texts: one message is asked about by several readers.

const few = 2;

export function lastFew<T, Given = string>(
  read: (given: Given) => T,
  isSame: (one: Given, other: Given) => boolean = Object.is,
): (given: Given) => T {
  const known: { given: Given; found: T }[] = [];
  return (given) => {
    for (const one of known) if (isSame(one.given, given)) return one.found;
    const found = read(given);
    if (known.unshift({ given, found }) > few) known.pop();
    return found;
  };
}
