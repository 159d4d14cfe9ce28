// Remembers what was read from the last few texts: one message is asked about by several readers.

const few = 2;

export function lastFew<T>(read: (text: string) => T): (text: string) => T {
  const known: { text: string; found: T }[] = [];
  return (text) => {
    for (const one of known) if (one.text === text) return one.found;
    const found = read(text);
    if (known.unshift({ text, found }) > few) known.pop();
    return found;
  };
}
