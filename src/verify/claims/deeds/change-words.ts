// Words that tell of a change to files, in the languages at hand: whole words, in small letters.

const english =
  "added adds adding changed changes changing updated updates edited modified created creates wrote written rewrote " +
  "rewritten removed removes removing deleted dropped renamed moved extended adjusted bumped replaced replaces patched " +
  "refactored introduced documented fixed registered wired corrected implemented made touched adapted pinned raised " +
  "lowered set switched aligned translated linked extracted split merged converted migrated regenerated generated put " +
  "exported imported wrapped rewired inlined cleaned tightened simplified reworked restructured reverted restored " +
  "copied saved stored configured enabled disabled applied swapped injected hooked mounted included inserted appended " +
  "prepended scaffolded covered mentioned noted listed explained described new gone";
const others =
  "geändert angepasst ergänzt hinzugefügt erstellt angelegt aktualisiert entfernt gelöscht umbenannt verschoben " +
  "erweitert überarbeitet eingetragen korrigiert geschrieben neu ersetzt umgestellt modifié modifiée modifiés " +
  "ajouté ajoutée ajoutés créé créée créés mis mise supprimé supprimée renommé déplacé déplacée complété corrigé " +
  "modificado modificada modifiqué actualizado actualizada actualicé añadido añadida añadí agregado agregué creado " +
  "creada creé eliminado eliminada eliminé borrado renombrado movido corregido cambiado cambié atualizado atualizei " +
  "adicionado adicionei criado criei removido removi alterado alterei обновил обновлён добавил удалил создал " +
  "改 加 增 删 建 更 追 作 修 変";

const words = new Set(`${english} ${others}`.split(" "));

export const isChangeWord = (word: string): boolean => words.has(word);
