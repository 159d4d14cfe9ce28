// Kinds of words that learned weights are shared between: what is checked, what is delivered, good, bad,
// denial, what is ahead, and the speaker. Words are whole tokens in small letters.

const kinds: Readonly<Record<string, string>> = {
  "<checked>":
    "test tests spec specs suite suites testsuite testsuites prueba pruebas teste testes examples cases assertions " +
    "build builds bundle compile compiles compiled compiling compilation kompiliert type types typecheck type-check " +
    "typechecks lint linter linting lints formatting formatter coverage ci check checks pipeline " +
    "§=tests §=build §=types §=lint §=format §=checks",
  "<delivered>":
    "deploy deployed deploys deployment redeployed deployt publish published publishes publiée publié release " +
    "released releases commit commits committed commité push pushed gepusht merge merged migrate migrated migration " +
    "migrations install installed reinstalled ship shipped upload uploaded tagged rolled live " +
    "§=deploy §=publish §=commit §=push §=merge §=migration",
  "<good>":
    "pass passes passed passing green clean cleanly success successful successfully succeed succeeds succeeded ok " +
    "fine happy bestanden grün sauber fehlerfrei erfolgreich durch pasa pasan pasaron passent passe passam passou " +
    "vert verte verts vertes verde verdes work works worked working complete completes completed finish finished " +
    "finishes ✅ ✓ ✔ ☑ 🟢 通过 成功",
  "<bad>":
    "fail fails failed failing failure failures error errors broke broken break breaks red crash crashes crashed " +
    "refused refuses denied rejected missing timed timeout ❌ ✗ ✘ ⚠ fehler fehlgeschlagen fehlt échoué échouent " +
    "fallo fallos falla fallan falló warning warnings issue issues problem problems offense offenses",
  "<no>":
    "no not never none nothing without neither nor cannot nicht kein keine keinen keiner ohne pas ne aucun aucune " +
    "sans sin sem não ningún ninguna nenhum nenhuma 0 zero don't didn't doesn't isn't aren't wasn't weren't hasn't " +
    "haven't couldn't can't won't wouldn't shouldn't",
  "<ahead>":
    "should would could might may must will can if once when unless until whether before please you you'll you'd " +
    "your sollte sollten wird werden wenn falls bitte devrait devraient faudra si cuando debería quando deve need " +
    "needs want let todo next to",
  "<self>": "i we i've we've ich j'ai he hemos eu my",
};

const kindByWord: ReadonlyMap<string, string> = new Map(
  Object.entries(kinds).flatMap(([kind, words]) =>
    words.split(" ").map((word) => [word, kind] as const),
  ),
);

export const kindOfWord = (word: string): string | undefined => kindByWord.get(word);
