// The three lines that every start in the background answers with.

export const backgroundStarted = (agentId: string, outputFile: string): string =>
  `Background task started. Agent ID: ${agentId}\nOutput file: ${outputFile}\nUse Read ` +
  `tool or \`tail -f ${outputFile}\` to check output.`;
