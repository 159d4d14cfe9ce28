// Answers that are kept as long as the object that they are about, which nobody changes any more.

/** The function, asked once for each object. */
export function onceFor<About extends object, Answer extends object>(
  answerTo: (about: About) => Answer,
): (about: About) => Answer {
  const answers = new WeakMap<About, Answer>();
  return (about) => {
    const known = answers.get(about);
    if (known) return known;
    const answer = answerTo(about);
    answers.set(about, answer);
    return answer;
  };
}
