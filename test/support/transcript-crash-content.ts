// What the crashing writer writes for a number, so that the checker can tell a whole message from a part of one.
const sizes = [40, 900, 12_000, 200_000, 70, 400_000, 3_000];

export const crashContent = (seq: number): string =>
  `${seq}:${"ä".repeat(sizes[seq % sizes.length]! / 2)}`;
