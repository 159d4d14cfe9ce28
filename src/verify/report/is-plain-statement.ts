// Whether a sentence of a document says what it says of the whole tree and without a condition. Documents
// speak of blocks, phases, plans and versions; a message speaks of the tree that its writer just had.

/** It holds under a condition, at a time, in a part of the code, or is asked for. */
const qualified = new RegExp(
  String.raw`\b(?:when|if|while|during|until|unless|once|after|before|despite|although|whether|since|` +
    String.raw`because|without|verify|ensure|check|confirm|remove|replace|modified|changed|otherwise|` +
    String.raw`prior|stories|step|phase|would|should|must|share|(?:in|inside|within|from) the ` +
    String.raw`(?!project|repo|tree|code ?base)\p{L}+)\b`,
  "iu",
);
/** "main.rs:276 calls", "line 948 uses": the number is a place. */
const placed = /(?:[:#–-]|\blines?) ?\d+\b/i;
const mostWords = 18;

export function isPlainStatement(sentence: string): boolean {
  const text = sentence.trim();
  return (
    !text.startsWith("|") &&
    text.split(/\s+/).length <= mostWords &&
    !/[→…]|\.\.\./.test(text) &&
    !qualified.test(text) &&
    !placed.test(text)
  );
}
