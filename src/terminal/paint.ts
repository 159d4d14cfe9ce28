// How text gets its colour. Whoever draws is given a function: on a terminal it colours, elsewhere
// and with NO_COLOR it leaves the text alone.
import type { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** Where text is drawn: how wide, and with which colours. */
export type Look = { width: number; paint: Paint };
