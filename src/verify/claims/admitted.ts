// What trouble a message tells itself: failing tests, or a check that is red in whatever words. Who tells
// it is not held to have hidden it.
import { stancesOf } from "./stance/stances-of.ts";

/** `failure`: something of the tests is not well; `trouble`: some check or command is not as it should be. */
export type Admitted = { failure: boolean; trouble: boolean };

/** In logits: as plainly as this trouble has to be told. */
const leastPlain = 0.7;

/** Most messages are never asked, and a long one takes its time. */
export function admittedIn(report: string): Admitted {
  return {
    get failure(): boolean {
      return (
        stancesOf(report).trouble((_, { subjects }) => subjects.includes("tests")) > leastPlain
      );
    },
    get trouble(): boolean {
      return stancesOf(report).trouble(() => true) > leastPlain;
    },
  };
}
