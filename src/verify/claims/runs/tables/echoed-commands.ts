// Commands that a runner of tasks prints before it runs them: the lines of make and just, `> script` of
// package managers, `$ command`, tox's `commands[0]>`. They tell what a task ran where no file does.

const taskRunner = new RegExp(
  "(?:^|[\\s;&|/])(?:npm|pnpm|yarn|bun|make|just|rake|tox|nox|task|gradlew?|mvnw?|composer|" +
    "pre-commit|mix|deno|sh|bash|hatch|poetry|uv|turbo|nx|\\S+\\.sh)(?:\\s|$)",
);

/** It may run tasks that the project names itself. */
export const runsTasks = (command: string): boolean => taskRunner.test(command);

const maxLines = 200;
const marked =
  /^(?:[@\w/.-]+: (?:commands\[\d+\]> )?)?(?:>|\$|\+|Task [\w:-]+|Running:?|Executing:?) +(\S.*)$/;
const environment = /^[\w.-]+: commands\[\d+\]> (.+)$/;
/** A line that may be a command: a word, then its arguments; no sentence, no label. */
const plain = /^\/?[a-z][\w./+-]*(?: [^\s:][^:]*)?$/;

export function echoedCommands({ command, output }: { command: string; output: string }): string[] {
  if (!runsTasks(command)) return [];
  return output
    .split("\n")
    .slice(0, maxLines)
    .filter((line) => line.length < 300)
    .flatMap((line) => {
      const found = environment.exec(line)?.[1] ?? marked.exec(line)?.[1];
      if (found !== undefined) return [found];
      // `/usr/bin/ruby -S rspec` runs rspec.
      return plain.test(line) ? [line.replace(/^\S*ruby -S /, "")] : [];
    });
}
