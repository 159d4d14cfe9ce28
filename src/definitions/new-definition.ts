// The text of a new agent file, with the parts of a good definition as a template.
import { stringify } from "yaml";

export type NewDefinition = {
  name: string;
  description?: string | undefined;
  tools?: string | undefined;
  model?: string | undefined;
};

export function newDefinitionText({ name, description, tools, model }: NewDefinition): string {
  const fields = {
    name,
    description:
      description ?? `Use this agent to … (say when to hand work to ${name}, and what comes back)`,
    ...(tools !== undefined && { tools }),
    ...(model !== undefined && { model }),
  };
  return `---
${stringify(fields, { lineWidth: 0 })}---

You are responsible for one thing: (name it in a sentence).

## Input

What you are given, and what to do when a part of it is missing.

## How to work

1. What to look at first, and how to know that it is the right place.
2. What to do, in the order in which it can be checked.
3. Which check shows that it worked.

## Output

What the one who asked needs to read: results with \`path:line\`, what was not done, what is \
uncertain.

## Limits

What you never do, even when it seems helpful.
`;
}
