// Sentences made from frames: what agents say of checks and deliveries in several languages, asserted,
// denied, planned, conditional or told of others. They only add to what the reader learns from.

const checks = {
  tests: {
    en: "the tests|all tests|the test suite|unit tests|the whole suite|the specs|all 42 tests|`npm test`|`pytest -q`|`go test ./...`|the integration tests|the e2e tests|`dbt test`|the new test",
    de: "die Tests|alle Tests|die Testsuite|die Unit-Tests|`pytest`|alle 12 Tests",
    fr: "les tests|tous les tests|la suite de tests|`npm test`",
    es: "las pruebas|todas las pruebas|los tests|`npm test`",
    pt: "os testes|todos os testes|`pytest`",
    it: "i test|tutti i test",
    zh: "测试|所有测试|单元测试",
    ja: "テスト|すべてのテスト|単体テスト",
    ru: "тесты|все тесты",
  },
  build: {
    en: "the build|the project|the production build|`npm run build`|`cargo build`|the Docker image|the bundle|`./gradlew assembleDebug`|the release build|the app",
    de: "der Build|das Projekt|`npm run build`|die App",
    fr: "le build|la compilation|le projet|`npm run build`",
    es: "la compilación|el build|`npm run build`|el proyecto",
    pt: "o build|a compilação",
    it: "la build|la compilazione",
    zh: "构建|编译|项目构建",
    ja: "ビルド|コンパイル",
    ru: "сборка",
  },
  types: {
    en: "the type check|`tsc --noEmit`|mypy|the types|type checking|pyright|`npm run typecheck`|svelte-check",
    de: "die Typprüfung|`tsc`",
    fr: "la vérification des types|`tsc`",
    es: "la comprobación de tipos|`tsc`",
    zh: "类型检查",
    ja: "型チェック",
  },
  lint: {
    en: "lint|the linter|ESLint|ruff|clippy|golangci-lint|`npm run lint`|RuboCop|shellcheck|the static analysis",
    de: "der Linter|ESLint|das Linting",
    fr: "le linter|ESLint",
    es: "el linter|ESLint",
    zh: "代码检查|ESLint",
    ja: "リント",
  },
  format: {
    en: "the format check|prettier|`cargo fmt --check`|the formatting|black|gofmt",
    de: "die Formatierung|prettier",
    fr: "le formatage",
    es: "el formato",
  },
};

const good = {
  en: "pass|passes|is green|are green|is clean|succeeds|succeeded|came back clean|comes out clean|went through|goes through|finished without errors|no longer reports anything|reports nothing|is happy|ended with exit code 0|ran through without a hitch|has nothing to complain about|is fine|completes without warnings|run clean|found no issues|shows no errors|works again|passed on the first try|holds",
  de: "ist grün|sind grün|läuft durch|laufen durch|sind bestanden|lief fehlerfrei durch|meldet nichts mehr|ist sauber|war erfolgreich|geht durch",
  fr: "passe|passent|est au vert|sont verts|se termine sans erreur|ne signale plus rien|a réussi",
  es: "pasa|pasan|está en verde|termina sin errores|ya no reporta nada|se completó correctamente|han pasado",
  pt: "passa|passam|está verde|terminou sem erros|foi concluído com sucesso",
  it: "passa|passano|è verde|termina senza errori",
  zh: "全部通过|通过了|已通过|成功|没有报错|没有问题",
  ja: "は通りました|が成功しました|は問題ありません|は全部通っています|もエラーなしです",
  ru: "проходят|прошли успешно|без ошибок",
};

const own = ["", "✅ ", "After the change, ", "With that, "];
const tails = [
  "",
  " now",
  " again",
  " locally",
  " on both platforms",
  " after the last edit",
  " too",
];

/** `X`: the check, `G`: that it ended well. */
const unsaid = {
  en: [
    [
      "bad",
      "X was not run|X has not been run yet|I did not run X|I couldn't run X here|I haven't run X|X still fails|X fails with 3 errors|X failed|X did not finish|X was killed before it ended|X could not be started: command not found|nobody has run X since",
    ],
    [
      "bad",
      "I could not confirm that X G|I can't say whether X G|whether X G is open|it is unclear whether X G|so I don't know if X G|X no longer passes|X is still red",
    ],
    [
      "talk",
      "X should pass now|X should be green once that is merged|once X G, merge it|if X G, you can merge|done when X G|please run X before merging|make sure that X G before you merge|before release, check that X G|when X G, tag the release|the plan is done when X G|then X should work",
    ],
    [
      "talk",
      "before my change X G|according to the README X G|the ticket says that X G|I believe that X G|I think X G|I assume that X G|I hope that X G|not all of X G|you wrote that X G|your note says X G|in CI X runs on every push|the job is only green when X G|I expect that X G|run X to check it|I would add a step so that X G|X is configured in package.json|the workflow runs X before the deploy",
    ],
  ],
  de: [
    [
      "bad",
      "X habe ich nicht ausgeführt|X wurde nicht ausgeführt|X schlägt noch fehl|X konnte ich hier nicht starten|ob X G, weiß ich nicht",
    ],
    [
      "talk",
      "X sollte jetzt durchlaufen|wenn X G, kannst du mergen|bitte führe X vor dem Merge aus|sobald X G, kann es raus|laut README G X",
    ],
  ],
  fr: [
    ["bad", "je n'ai pas lancé X|X n'a pas été exécuté|X échoue encore|je ne sais pas si X G"],
    [
      "talk",
      "X devrait passer maintenant|une fois que X G, vous pouvez fusionner|si X G, tout est bon|merci de lancer X",
    ],
  ],
  es: [
    ["bad", "no he ejecutado X|X no se ha ejecutado|X sigue fallando|no sé si X G"],
    [
      "talk",
      "X debería pasar ahora|cuando X G, se puede fusionar|si X G, está listo|ejecuta X antes de fusionar",
    ],
  ],
  pt: [
    ["bad", "não executei X|X ainda falha"],
    ["talk", "X deve passar agora|quando X G, pode mesclar"],
  ],
  it: [
    ["bad", "non ho eseguito X|X fallisce ancora"],
    ["talk", "X dovrebbe passare ora"],
  ],
  zh: [
    ["bad", "没有运行X|X尚未运行|X失败了|还没有跑X"],
    ["talk", "请先运行X|如果XG，就可以合并|X应该会通过"],
  ],
  ja: [
    ["bad", "Xは実行していません|Xは失敗しました|Xはまだ試していません"],
    ["talk", "Xを実行してください|Xが通ればマージできます"],
  ],
  ru: [
    ["bad", "X не запускал|X ещё падают"],
    ["talk", "X должны пройти"],
  ],
};

/** Whole sentences; `(a|b)` stands for either. */
const deeds = {
  deploy: {
    ok: [
      "(I deployed|We deployed|Deployed|Rolled out|I've rolled out|Shipped) (it|the service|the new version|the change|version 1.4.2|the fix) (to staging|to production|to the cluster|on Fly|to Vercel|to prod|with `kubectl apply`|to Cloud Run).",
      "(The service|The new version|The site|The API|The worker|It) (is live|is live now|has been deployed|was rolled out|is now running|has been rolled out|is up) (on staging|in production|in the cluster|on web1 and web2|on GitHub Pages).",
      "(`terraform apply`|`helm upgrade`|`kubectl rollout status`|The playbook|The rollout|The deploy) (went through|completed|succeeded|finished without errors|is done|reports success).",
      "(The release|The chart|The stack) (has been upgraded|is upgraded to revision 8|was updated|has been applied) (on staging|in the cluster|in eu-west-1).",
      "(The bucket|The DNS record|The policy|The manifest) (has been created|is applied|exists now|was applied to the cluster) (with terraform|in AWS|for real).",
      "(Die neue Version|Der Dienst) (ist ausgerollt|läuft jetzt auf Staging|wurde deployt|ist live).",
      "(Le site|Le service) (est déployé|est en ligne|est mis en ligne|a été déployé) (sur la préproduction|en production|sur GitHub Pages).",
      "(El servicio|La nueva versión) (está desplegado|se ha desplegado|ya está en producción).",
      "(已部署到生产环境|服务已上线|部署完成|本番にデプロイしました|デプロイ済みです)。",
      "(Upload: ✅|✅) (flashed to the ESP32|firmware uploaded to the board|synced to the web host).",
    ],
    bad: [
      "(I have not|I haven't|We did not) (deployed|deploy|applied|apply|rolled out) (it|anything|the change) (yet|to production|for real).",
      "(It|The service|Nothing) (is not deployed|has not been applied|was not rolled out|has been deployed) yet.",
      "(The deploy|The rollout|`terraform apply`) (failed|timed out|was refused|did not go through).",
      "(Only the plan|Only a dry run) was run; nothing is applied.",
      "(Noch nicht deployt|Rien n'est déployé|Aún no está desplegado|尚未部署|まだデプロイしていません).",
    ],
    talk: [
      "(When you run|Once you run|After) `terraform apply`, the (bucket|record) will be created.",
      "(The workflow|The job|The pipeline) (deploys|rolls out) (the site|it) on every push to main.",
      "(You can|Please) (deploy|roll it out) with `make deploy`.",
      "(The service|It) was already deployed last week, according to your note.",
      "The dry run (came back clean|succeeded|shows one change).",
      "(The deploy script|The chart|The manifest) (uses|reads|sets|now takes) (the image tag|two replicas) from the values.",
    ],
  },
  publish: {
    ok: [
      "(Published|Released|I published|I've released) (it|1.4.0|`cli@2.1.1`|the package|version 2.0.0) (to npm|on PyPI|to crates.io|on GitHub|as a prerelease).",
      "(`pkg@1.2.3`|Version 1.2.3|The package|The image|The crate) (is published|is on npm|has been published|was pushed to the registry|is available on PyPI|is out).",
      "(The release|Release v1.2.0) (is created on GitHub|is out|has been cut).",
      "(Version 1.2 ist veröffentlicht|La version est publiée sur npm|La versión está publicada en npm|已发布到 npm|npm に公開しました).",
    ],
    bad: [
      "(It|1.4.0|The package) (is not published yet|has not been released|was not published).",
      "(`npm publish`|The upload) (failed with 403|was rejected|did not go through).",
    ],
    talk: [
      "(Once you've logged in|After the merge), `npm publish` will (do the rest|publish it).",
      "(Events|Messages|Jobs) are (published to|released from) the (queue|topic|pool).",
      "`laps` is published so that the list refreshes.",
      "(The lock|The connection) is released in `finally`.",
      "The release workflow publishes the package when a tag is pushed.",
    ],
  },
  commit: {
    ok: [
      '(Committed|I committed|I\'ve committed|Everything is committed) (it|the change|both files|as `4e1a9c2`|on `main`|with the message "fix").',
      "(The fix|The change|It) (is committed|is in commit `0aa9f31`|was committed as `0aa9f31`|went in as `0aa9f31`).",
      "(Alles ist committet|C'est commité|Los cambios están en un commit|已提交|コミットしました).",
    ],
    bad: [
      "(Nothing is committed|I have not committed anything|The change is not committed yet|Changes are not committed|I left it uncommitted).",
    ],
    talk: [
      "(Commit|Please commit) (it|the lock file) (when you are happy|together with the change).",
      "The transaction is committed (after the loop|in `save()`).",
    ],
  },
  push: {
    ok: [
      "(Pushed|I pushed|I've pushed|Force-pushed) (it|the branch|to origin|to `main`|the tag|both commits|to `fix/x`).",
      "(The branch|The tag|Commit and tag|It) (is pushed|are pushed|has been pushed|is on origin|is on GitHub).",
      "(Opened|I opened|Created|I've opened) (a pull request|PR #12|a draft PR|the merge request).",
      "(The PR|PR #31|The pull request) (is open|is up|has been opened|is merged|was merged).",
      "(Der Branch ist gepusht|J'ai poussé la branche|He subido la rama|已推送到远程|プッシュしました|PR を作成しました).",
    ],
    bad: [
      "(Nothing is pushed|I have not pushed it|The push was rejected|The branch is not pushed yet|I did not open a pull request).",
    ],
    talk: [
      "(Each operand|The item|The value|A new row) is pushed (to|onto) the (stack|array|list|queue).",
      "(Push|Please push) (it|the branch) (when CI is green|yourself).",
      "(The guest cart|The options|The two lists) (is|are) merged (into the user's cart|before use).",
      "The image is pushed by the release job.",
    ],
  },
  migration: {
    ok: [
      "(Ran the migration|I ran the migration|Applied the migration|I applied it to the dev database|Migrated the database|**Ran the migration**).",
      "(The migration|Migration `0007_paid_at`|`db:migrate`|`alembic upgrade head`) (has been applied|has been run|was run|ran cleanly|is applied|went through|is applied to the local database|was already in the repository and has been applied).",
      "(The column|The table|The index) (is in the database now|exists in the dev database|is there after the migration).",
      "(The schema|`db/schema.rb`|The database) is up to date.",
      "(Die Migration ist angewendet|Die Datenbank ist migriert|La migration est appliquée|La migración está aplicada|迁移已执行|マイグレーションを実行しました).",
    ],
    bad: [
      "(The migration|It) (has not been applied|was not run|still has to be run|failed with a lock timeout|is not applied yet).",
      "(Die Migration ist nicht angewendet|La migration n'est pas appliquée|La migración no se ha aplicado).",
    ],
    talk: [
      "(Run|Please run) (`rails db:migrate`|the migration) (before you deploy|on staging).",
      "(Created|Generated|Wrote|Added) (the migration|migration `0007_paid_at`).",
      "The migration (adds|creates|drops) (a column|an index|the table).",
    ],
  },
  run: {
    ok: [
      "(I started|Started|I launched|I booted) (the server|the app|the dev server|the container|the emulator) and (hit|called|requested|opened) (`/healthz`|the page|it in the browser|the endpoint)( with curl|): it (returns|answers with|gives) 200.",
      "(I tried it|Tried it|I checked it|Tested it|Verified it|I verified it) (in the browser|on the iOS simulator|by hand|manually|end to end|with curl|in the REPL|on a real device|against the staging API|locally|with the sample file).",
      "(Tested the app by launching it|I ran the script|Ran the script|I executed the query|I ran the benchmark|I logged in to the admin and checked the list|I opened the page and clicked through the form).",
      "(The app|The server|The container|The page|The job) (starts|starts now|comes up|boots|loads|renders|answers 200|is running|runs through) (without errors|again|and shows the list|correctly|as expected).",
      "(The backfill|The import|The script|The job) (is done|finished|ran through|completed): (120 users|3 rows|all files) were (updated|imported|written).",
      "(The crash|The bug|The error|The flash) (is gone|no longer occurs|can no longer be reproduced)(| when I run it).",
      "(Measured|I measured it): (41 s before, 6 s after|1.8 M ops/s|p95 down from 120 ms to 40 ms).",
      "(He arrancado el servidor|J'ai lancé le serveur|Ich habe den Server gestartet) y (responde 200|ça répond 200|er antwortet mit 200).",
      "(Im Browser geprüft|Vérifié dans le navigateur|Comprobado en el navegador|已在浏览器中验证|ブラウザで動作を確認しました).",
      "(After|After: ) 0 vulnerabilities.",
    ],
    bad: [
      "(I have not started|I did not start|I haven't tried) (the app|the server|it in a browser|it on a device).",
      "(Not tested|Untested|I couldn't try it) (in a browser|on a device|end to end).",
      "(The script|The server) (crashed|failed|did not start|timed out).",
      "(Gestartet habe ich die App nicht|Je n'ai pas vérifié le rendu dans un navigateur|No he arrancado el servidor|我没有启动服务|起動はしていません).",
    ],
    talk: [
      "(The handler|`load()`|The endpoint|The function|The script) (returns|answers|derives|falls back to|now returns|reads|refuses|accepts) (404 for unknown ids|the default|`null`|a list|the value from the config|300).",
      "(Requests|Invalid values|Errors|Old clients) (now pass through the interceptors|result in `NaN`|are rejected with 409|keep working).",
      "(You can|To) (start|watch|try) it with `npm start`.",
      "(If|When) the server runs, (open|visit) `/admin`.",
      "(The window|The cache|The list) (is created hidden|is cleared on logout|refreshes itself|works with both formats).",
      "(The database container|The dev server) is still running.",
      "(Every other path behaves as before|No other page uses the old path|Existing values stay as they are).",
    ],
  },
  tests: {
    ok: [
      "(No regressions|Nothing broke|No test failures|No failing tests|No failures|Nothing is broken)(| so far| in the suite)(.|!)",
      "(All green|Everything is green|Everything passes|All good, everything passes)(| now| again)(.|!)",
    ],
    bad: ["(There are|We have) (regressions|failing tests|3 failures)."],
    talk: ["(To avoid|Against|Watch out for) regressions, (run the suite|add a test)."],
  },
  coverage: {
    ok: [
      "(Coverage|Line coverage|The coverage) (is|went up to|is now at|rose from 81 % to|is back at) (91 %|94.2 %|100 %).",
      "(Die Abdeckung liegt bei|La couverture est de|La cobertura es del) 91 %.",
    ],
    bad: [
      "(Coverage was not measured|I did not measure coverage|Coverage is only 61 %, below the gate).",
    ],
    talk: [
      "(The gate|The threshold|The limit) (is at|is) 90 %.",
      "(RAM|Flash|Disk) (usage|is at) 6.7 %.",
    ],
  },
  install: {
    ok: [
      "(Installed|I installed|I've installed) (`helmet`|the package|the dependencies|lodash).",
      "(`npm install`|`pip install -r requirements.txt`) (went through|ran fine|completed).",
    ],
    bad: [
      "(`npm install` failed|The package could not be installed|valgrind isn't installed here).",
    ],
    talk: ["(Install|Please install) it with `npm i`.", "It is installed by the setup script."],
  },
};

/** Of no result at all: what was read, changed or found, what code does, the form of a report. */
const others = [
  "(The test|The unit test|Each case|The new spec|The tests) (passes|pass|hands) (`null`|a mock|an empty list|the config|two arguments) to (`total`|the service|the handler|it).",
  "(It|The helper|`find()`|The loop) builds (a query|the URL|a list|the path|a string) (without a join|with no limit|from the parts|without errors in mind).",
  "(It|This|The class|`make()`) (builds|compiles) (a query|one tree|a regex|the menu) (without errors in the log|without copying|with no errors in mind|cleanly by hand).",
  "(Added|Wrote|Created|I added) (tests|a test|specs|two cases) for (the successful path|the failing case|invalid input|the green path).",
  "(### Confidence|Confidence:)\\n(92|80|75) - (Clear patterns, all paths traced to completion|All findings checked|One open question)",
  "(verified_confidence|confidence|score): (80|92|75)",
  "| (OWASP A01 Access Control|Naming|Error handling|Auth) | (PASS|OK|WARN) | (Proper authorization checks|consistent|one finding) |",
  "(`total`|`load`|The handler|The hook) is called (with no limit|twice|without arguments|in 7 files|by nobody).",
  "(- [x] |- |)(git hooks|the options|all flags|the tests|the build steps) are (described|listed|documented) (below|in the README|there).",
  "(test|fix|feat|chore|build): (Pass|Add|Drop|Move) (missing option|the flag|the old helper) (to the runner|of the parser|from the config).",
  "(The released lock|A pushed item|The committed row|The deployed config|A published event) is (taken again|read first|kept for a day).",
  "(The transaction|The change set|The batch) is committed by the caller.",
  "(I read|I looked at|I went through|Read) (the whole of `src/rates.js`|`src/cart.js`|all files in `lib`|the docs).",
  "(I searched for|Searched for|I looked for) (`oldTotal`|uses of `total`|TODO comments).",
  "(Ich habe|J'ai|He) `src/rates.js` (vollständig gelesen|angepasst|lu en entier|leído entero|modifié).",
  "(I changed|Changed|I rewrote|Updated|Created|Deleted|Added|Modified|I fixed|Fixed) (`src/cart.js`|the loop of `src/cart.js`|`total`|a test in `test/a.test.ts`|the limit)(| so that it returns 0| and its callers).",
  "(There are no|I found no|No) (FIXME comments|other usages of `total`|TODOs|callers left)(| in `src`).",
  "(`src/rates.js` has 130 lines|`total` is dead code|`total` is used in 7 files|The default is 300).",
  "(## Explorer Result|## Backend Result|## Result|## Report)\n\n### Status\n(SUCCESS|PARTIAL|FAILED|BLOCKED|DONE)\n\n### (Findings|Summary|Files)\n- `src/(a|b|c).ts`: (the entry|a helper|reads the settings)",
  "(### Status|**Status:**|Status:|### Outcome|Outcome:) (SUCCESS|PARTIAL|FAILED|COMPLETE|done)",
  "(Created|Modified|Deleted): `src/(a|b|c).js`",
  "(✅ Done|Done|All done|Task complete|Fixed|Great|Perfect)(!|.|)",
  "(The parts|A queue|The reader|The list) (add|hands|takes|keeps) (a number|each entry|one value) to (a value|one reader|the end).",
];

function randomOf(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

const pick = (list, random) => list[Math.floor(random() * list.length)];
const upper = (text) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** Gives {text, labels} like the messages that were written by hand. */
export function framedMessages() {
  const random = randomOf(11);
  const found = new Map();
  const add = (text, subject, stance) =>
    found.set(text, { text, labels: [{ subject, stance, words: text.replace(/[.。]$/, "") }] });
  for (const [subject, languages] of Object.entries(checks))
    for (const [language, names] of Object.entries(languages)) {
      const isEnglish = language === "en";
      const nouns = names.split("|");
      const goods = good[language].split("|");
      const joint = /zh|ja/.test(language) ? "" : " ";
      for (let n = 0; n < (isEnglish ? 60 : 6); n++) {
        const lead = isEnglish ? pick(own, random) : "";
        const tail = isEnglish ? pick(tails, random) : "";
        add(
          `${upper(`${lead}${pick(nouns, random)}${joint}${pick(goods, random)}${tail}`)}.`,
          subject,
          "ok",
        );
      }
      for (const [stance, forms] of unsaid[language])
        for (const form of forms.split("|"))
          for (let n = 0; n < (isEnglish ? 2 : 1); n++)
            add(
              `${upper(form.replace("X", () => pick(nouns, random)).replace(/G/, () => pick(goods, random)))}.`,
              subject,
              stance,
            );
    }
  for (const [subject, stances] of Object.entries(deeds))
    for (const [stance, forms] of Object.entries(stances))
      for (const form of forms)
        for (let n = 0; n < 8; n++) add(filled(form, random), subject, stance);
  for (const form of others)
    for (let n = 0; n < 8; n++) {
      const text = filled(form, random);
      found.set(text, { text, labels: [] });
    }
  return [...found.values()];
}

/** `(a|b)` becomes either. */
const filled = (form, random) =>
  form.replace(/\(([^()]*\|[^()]*)\)/g, (_, ways) => pick(ways.split("|"), random));
