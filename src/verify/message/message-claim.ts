// What a message says without a path of its own, as a claim about the file that it named last.
import { plainClaim, type Claim } from "../reading/claim.ts";
import { weighed, type Evidence } from "../reading/find-evidence.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import { weights } from "../reading/weights.ts";
import type { NamedFile } from "./named-files.ts";

export function messageClaim(
  { block }: ReadingUnit,
  item: Evidence,
  files: readonly NamedFile[],
): Claim {
  const last = files.findLast(({ at }) => at <= block.start) ?? files[0]!;
  const claim = plainClaim(block, last.mention, block.start + item.start);
  claim.end = block.start + item.end;
  claim.evidence = [weighed(item, weights.evidence.touching, true)];
  return claim;
}
