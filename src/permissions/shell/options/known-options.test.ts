import { describe, expect, test } from "vitest";
import { knownOptions, readLine } from "./known-options.ts";

describe("the table of known options", () => {
  test("gives every value its meaning", () => {
    expect(readLine("-a -n~ -f< -o> -m+ -C/ -x! -r% --color=~ --report=>")).toEqual({
      flags: "-a",
      valued: "-n --color",
      reads: "-f",
      writes: "-o --report",
      makes: "-m",
      lists: "-C",
      runs: "-x",
      names: "-r",
      joined: "--color --report",
    });
  });

  test.each(["-n*", "--color=", "--color=*", "word", "-o>>"])(
    "does not load with %s, whose value has no meaning",
    (word) => {
      expect(() => readLine(`-a ${word}`)).toThrow(/does not say what its value means/);
    },
  );

  test("holds no option of which one line says that its value is run and another that it is a word", () => {
    const twice = knownOptions.names().flatMap((name) => {
      const options = knownOptions.get(name)!;
      const words = new Set(options.valued.split(" "));
      return options.runs
        .split(" ")
        .filter((option) => option !== "" && words.has(option))
        .map((option) => `${name} ${option}`);
    });
    expect(twice).toEqual([]);
  });
});
