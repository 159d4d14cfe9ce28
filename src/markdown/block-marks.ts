// How the blocks of a Markdown text begin, and where a paragraph breaks.

export const blockMarks = {
  fence: /(`{3,}|~{3,})([^`\n]*)$/,
  heading: /^(#{1,6})(?:[ \t]+|(?=\p{L}))(.*?)(?:[ \t]+#+)?[ \t]*$/u,
  item: /^(?:[-*+•]|\d{1,4}[.)])[ \t]+(?=\S)/,
  tableRule: /^(?=[^\n]*(?:\||--))\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/,
  boldLine: /^(\*\*|__)(?=\S)(?:(?!\1).){1,160}\1[ \t]*:?[ \t]*$/,
  label: /^(\*\*|__)(?=\S)(?:(?!\1).){1,60}?(?::\1|\1[ \t]*:)/,
  hardBreak: /(?: {2}|\\|<br ?\/?>)$/,
};
