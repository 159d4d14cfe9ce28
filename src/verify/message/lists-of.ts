// The lists and tables of a message: what their items and rows begin with is of one kind.
import type { ReadingUnit } from "../reading/read-unit.ts";

/** The items of each list and the rows of each table, in order. */
export function listsOf(units: readonly ReadingUnit[]): ReadingUnit[][] {
  const lists: ReadingUnit[][] = [];
  let last: ReadingUnit | undefined;
  for (const unit of units) {
    const { kind } = unit.block;
    if (kind !== "item" && kind !== "row") {
      if (kind !== "fence") last = undefined;
      continue;
    }
    if (last && isNextTo(unit.block, last.block)) lists.at(-1)!.push(unit);
    else lists.push([unit]);
    last = unit;
  }
  return lists;
}

type Block = ReadingUnit["block"];

const isNextTo = (own: Block, last: Block): boolean =>
  own.kind === last.kind &&
  (own.kind === "row"
    ? own.columns === last.columns
    : own.parent === last.parent && own.level === last.level);
