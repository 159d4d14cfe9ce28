// Whether a statement stands where a message lists what was checked: below "Verification", "How I tested
// it", or in a table of checks and their results. There an item says that its check was made and held.
import { standsAhead } from "../words/says-done.ts";
import type { Statement } from "../words/statements.ts";

/** Words that make a heading one about checking. */
const core = new Set(
  (
    "verification verified verify validation validated checks check checked checking test tests tested testing qa " +
    "proof evidence sanity results result status outcome ran gates quality ci build lint commands confirmed " +
    "verifikation verifiziert prüfung prüfungen geprüft überprüfung getestet nachweis ergebnis ergebnisse " +
    "vérification vérifications vérifié contrôle contrôles essais résultat résultats testé " +
    "verificación verificaciones comprobación comprobaciones comprobado pruebas resultado resultados probado " +
    "verificação verificações verificado testes testado validação controle controles " +
    "verifica verifiche controlli prove controleren gecontroleerd getest controle " +
    "проверка проверки тесты результаты 验证 检查 测试 测试结果 验证结果 結果 検証 確認 テスト 검증 테스트"
  ).split(" "),
);
/** Words that may stand beside them. */
const fillers = new Set(
  (
    "how i we it this was were the what and or of on for with in to my our is all final local locally manual " +
    "run runs performed done made steps step summary report automated post pre output state after change changes fix " +
    "wie ich es was und der die das wurde wurden nach habe stand comment je j'ai l'ai ce que et de la le les des " +
    "cómo lo he que y del el los las realizadas hechas como eu o que foi hoe ik het wat en been have has so far"
  ).split(" "),
);

const isCheckHeading = (heading: string): boolean => {
  const words = heading.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return (
    words.length > 0 &&
    words.length <= 7 &&
    words.every((word) => core.has(word) || fillers.has(word)) &&
    words.some((word) => core.has(word)) &&
    !/^(?:how )?to /i.test(heading)
  );
};

const hasCheckHead = (head: readonly string[]): boolean =>
  head.some((name) =>
    /^(?:checks?|commands?|verification|test|suite|step|gate|prüfung)\b/i.test(name),
  ) && head.some((name) => /result|status|outcome|exit|ergebnis|résultat|resultado/i.test(name));

/** The nearest heading or label decides; a plan of checks is none. */
export function isCheckItem({ kind, under, head, box }: Statement): boolean {
  if (kind === "fence" || box === "open" || standsAhead(under)) return false;
  if (kind === "row" && hasCheckHead(head)) return true;
  const near = [under[0], under.at(-1)].filter((one) => one !== undefined);
  return near.some(isCheckHeading);
}
