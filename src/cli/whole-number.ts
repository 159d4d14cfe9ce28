// Reads numbers of the command line; a text that is not a number is an error before anything
// starts.
import { InvalidArgumentError } from "commander";

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new InvalidArgumentError("a whole number above 0 is needed.");
  return Number(text);
}

export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value))
    throw new InvalidArgumentError("a number above 0 is needed.");
  return value;
}
