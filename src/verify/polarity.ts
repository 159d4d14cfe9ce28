// What a sentence does with a reference: states that it is there, proposes it, denies it, creates it, removes it.

export type Polarity = "present" | "create" | "created" | "absent" | "proposal";

const proposalLabel =
  /\b(?:fix(?:es|ed)?|suggest\w*|propos\w*|recommend\w*|should\s+(?:be|become|look|read|say|have|use)|replac\w+\s+(?:\w+\s+)?(?:with|by)|chang\w+\s+(?:\w+\s+)?to|becomes?|would\s+(?:be|become|look)|could\s+(?:be|become|look)|ought\s+to|new\s+(?:code|version|implementation)|refactor\w*\s+(?:to|into|as)|rewrit\w+|remediation|improved|desired|instead\s*(?:,|:|$)|(?:could|would|might|may|can|let['’]s|one|we)\s+(?:\w+\s+){0,2}(?:write|add|introduce|extend|define|implement|express|simplify|wrap|create|have|do)\b|imagine|suppose|hypothetical\w*|pseudo-?code|sketch|something\s+like|along\s+the\s+lines)/i;
/** The same in other languages; roots only, since they are inflected. */
const foreignProposal =
  /vorschl[aä]g|vorgeschlagen|sollte|k[öo]nnte|w[üu]rde|stattdessen|nachher|korrigiert|behoben|\bpropos|devrait|pourrait|serait|au lieu|corrig|apr[èe]s\b|propuest|deber[íi]a|podr[íi]a|ser[íi]a|en su lugar|despu[ée]s|deveria|poderia|dovrebbe|potrebbe|предлага|следует|вместо|исправл|建议|建議|修改后|修改後|修复后|应改|改为|改成|修正案|修正後|提案|改善|変更後|제안|수정|변경\s?후/i;
/** What was there once: a quotation of it proves nothing about what is there now. */
const former =
  /\b(?:used\s+to|previously|formerly|originally|was\s+(?:removed|deleted|replaced|dropped)|no\s+longer|removed|deleted|dropped|früher|ehemals|entfernt|gelöscht|autrefois|supprim|antes\s+era|eliminad|удал)\w*/i;
const bareProposal =
  /^[\s*_#>\-\d.)]*(?:after|fix|solution|expected|better|correct(?:ed)?|example|usage|e\.g\.|patch|add|use|good|new|proposed|target|desired|updated)\b[^`]{0,30}:?\s*[*_]*\s*$/i;

/** Whether what follows `label` is a proposal and not a quotation. */
export function isProposal(label: string): boolean {
  // The name of a file or of a function proposes nothing.
  const words = label.replace(/`[^`]*`|[\w./\\@-]*[./\\][\w./\\@-]*\w/g, (name) =>
    "x".repeat(Math.min(name.length, 20)),
  );
  return (
    proposalLabel.test(words) ||
    bareProposal.test(words) ||
    foreignProposal.test(words) ||
    former.test(words)
  );
}

const denied =
  /(?:\b(?:no|not|missing|misses|lacks?|lacking|without|never|absent|omits?|omitted|forgets?|forgot|absence\s+of|lack\s+of|instead\s+of|rather\s+than|unlike|removed|deleted|dropped|formerly|previously|was\s+named|old)|n['’]t)\s+(?:(?:an?|the|any|call|calls|use|using|contain|contains|define|have|has|to|a\s+call\s+to|exist\w*)\s+){0,3}[`*_"'(]*$/i;
const proposed =
  /(?:\b(?:should|must|could|would|might|needs?\s+to|consider|recommend\w*|suggest\w*|propos\w*|instead|please|insert|to\s+be|rename\w*\s+(?:it\s+)?to|replace\w*\s+(?:\w+\s+)?(?:with|by)|chang\w+\s+(?:\w+\s+)?to)\s+(?:[\w-]+\s+){0,4}|(?:^|[.:;(]\s*)(?:add|use|call|wrap|introduce|fix|try)\s+(?:[\w-]+\s+){0,3}|\bfix\**:?\**\s+(?:[\w-]+\s+){0,4})[`*_"'(]*$/i;

const transformed =
  /\b(?:renam|chang|replac|convert|refactor|migrat|switch|extract|mov)\w*\b.{0,140}\b(?:to|with|into|by)\s+[`*_"'(]*$/i;
/** "Renamed a to b" tells what was done, "is renamed" and "could be renamed" what may be. */
const done =
  /(?:^|[.!?:;]\s|^\s*(?:[-*+•]|\d+[.)])\s+(?:\[x\]\s)?|\b(?:I|we|have|has|was|were)\s+)[*_]*(?:renamed|changed|replaced|converted|refactored|migrated|switched|extracted|moved)\b.{0,140}$/i;

/** "did not find a single", "no trace of", and the same in other languages. */
const soughtBefore =
  /(?:\b(?:no|not|never|nowhere|cannot)|n['’]t)\s+(?:\w+\s+){0,2}(?:find|found|see|seen|locate|spot|detect|observe|contain|include|define|declare|export|provide|offer|implement|support|mention|exist|have|has|sign|trace|mention|sighting|evidence|definition|match(?:es)?)\w{0,3}\s+(?:[\w-]+\s+){0,3}[`*_"'(]*$|(?:\b(?:keine?[nmrs]?|ohne|fehlt|pas\s+d[e']|aucune?|sans|ning[uú]na?|no\s+hay|falta|sin|nenhuma?|n[ãa]o\s+h[áa]|sem|nessuna?|senza)|нет|без|没有|沒有|缺少|缺乏|未找到)\s*(?:[\p{L}-]+\s+){0,2}[`*_"'(「“]*$/iu;
const deniedBehind =
  /^[`*_)"'”」\]]*\s*(?:[\w'’-]+\s+){0,3}?(?:(?:0|no|zero)\s+(?:hits?|match(?:es)?|results?|occurrences?|usages?|references?|callers?)\b|not\s+(?:exist|found|there|present|defined|declared|implemented|yet)|(?:is|are|was|were)\s+(?:missing|absent|nowhere|planned|pending)|nowhere\b|planned\b|to\s+be\s+(?:added|created|written|introduced)|(?:does|do|did)(?:\s+not|n['’]t)\s+exist|isn['’]t\s+(?:there|defined|present)|nothing\b|fehlt|existiert\s+nicht|n['’]existe\s+pas|no\s+existe|n[ãa]o\s+existe|non\s+esiste|отсутств|не\s+(?:существует|найден))|^[`*_)"'”」\]]*\s*(?:不存在|缺失|未定义|未定義|は(?:存在し(?:ない|ません)|見つから|ありません|ない)|(?:이|가|은|는)?\s*(?:없|존재하지))/iu;

/** Whether the words directly before something, or directly behind it, deny it or only wish for it. */
export function isDeniedOrProposed(before: string, behind = ""): boolean {
  if (behind !== "" && deniedBehind.test(behind.slice(0, 80))) return true;
  if (before === "" || !/\p{L}/u.test(before)) return false;
  const near = before.slice(-80);
  return (
    denied.test(near) ||
    soughtBefore.test(near) ||
    proposed.test(near) ||
    (transformed.test(before) && !done.test(before))
  );
}

/** "Plan: …", "Next steps: …": what such a line names need not be there yet. */
export function isPlan(text: string): boolean {
  return /^[\s*_+•>-]*(?:\[ \]\s*)?[*_]*(?:plan|next(?:\s+steps?)?|todo|proposal|idea|follow-?up|roadmap)[*_]*\s*[:–—-]/i.test(
    text,
  );
}

const createBefore =
  /(?:^|[\s(*:>|-])(?:create|creating|new(?:\s+\w+)?\s+(?:file|module)s?(?:\s+(?:at|in|named|called))?|new(?:\s+\w+)?\s+(?:test|script|component|page)s?(?:\s+(?:at|named|called))?|(?:file|module)s?\s+to\s+(?:be\s+)?create[d]?|add(?:ing)?\s+(?:an?\s+)?new\s+(?:\w+\s+)?(?:file|module)?|add\s+(?:file|module)|to\s+be\s+created|touch|new)\s*(?::|–|—|-|→|=>|\bat|\bthe|\ba\s+file|\bfile)?[\s:*_`"'([]*$/i;
const createdBefore =
  /(?:^|[\s(*:>|-])(?:created|added|wrote|generated|introduced)\s*(?::|the\s+file|a\s+new\s+file|new\s+file|files?)?[\s:*_`"'([]*$/i;
const absentBefore =
  /\b(?:no\s+(?:such\s+)?(?:file|module)?|there\s+(?:is|was)\s+no|missing|lacks?|without|absent|does\s+not\s+(?:have|contain)|doesn['’]t\s+have|not\s+found:?|non-?existent|delete[ds]?|deleting|remove[ds]?|removing|(?:dropped|removed|deleted|retired|gone)\s+(?:(?:together|along)\s+)?with|rename[ds]?|renaming|renamed\s+from|moved?\s+from|formerly|previously|old|would\s+(?:be|go|live)\s+(?:at|in)|could\s+(?:be|go|live)\s+(?:at|in)|should\s+(?:be|go|live)\s+(?:at|in)|output|writes?\s+to|generates?|produces?|e\.g\.,?|for\s+example,?|such\s+as|like|if|unless|instead\s+of|expected|rename\w*\s+(?:\S+\s+)?to|moved?\s+(?:\S+\s+)?to|split\s+(?:\S+\s+)?into|extract\w*\s+(?:\S+\s+){0,3}(?:to|into))\s+(?:the\s+|a\s+|an\s+|file\s+|new\s+|any\s+){0,2}[`*_"'([]*$/i;
const absentAfter =
  /^[`*_"')\]]*\s*(?:(?:file|module)\s+)?(?:does\s+not\s+exist|doesn['’]t\s+exist|is\s+missing|is\s+absent|was\s+(?:not\s+found|removed|deleted|renamed|moved)|not\s+found|no\s+longer\s+exists|is\s+not\s+(?:there|present|found)|has\s+been\s+(?:removed|deleted|renamed|moved)|will\s+be\s+(?:created|generated|written)|\((?:new|to\s+be\s+created|create|does\s+not\s+exist|missing|deleted|removed)\b)/i;
const createAfter =
  /^[`*_"')\]]*\s*(?:[-–—:→]\s*)?[([*_]*(?:new(?:\s+file)?|to\s+be\s+created|create|will\s+be\s+created)[)\]*_]*(?:\s*$|[\s:,;)\]])/i;

/** The polarity of a path written between `before` and `after` in running text. */
export function pathPolarity(before: string, after: string): Polarity {
  const left = before.slice(-100);
  const right = after.slice(0, 60);
  if (absentBefore.test(left) || absentAfter.test(right))
    return /\bnew\b|creat/i.test(right) && createAfter.test(right) ? "create" : "absent";
  if (createBefore.test(left) || createAfter.test(right)) return "create";
  return isCreated(left) ? "created" : "present";
}

/** Whether the words directly before a path say that it was created. */
export function isCreated(before: string): boolean {
  return createdBefore.test(before.slice(-100));
}

/** The polarity that a table row's action gives to its path. */
export function actionPolarity(cell: string, section: string): Polarity | undefined {
  const action = cell.replace(/[`*_]/g, "").trim();
  if (/^(?:create[ds]?|new(?:\s+file)?|add(?:ed)?)\b/i.test(action) && action.length < 60) {
    if (/^(?:created|added)\b/i.test(action)) return "created";
    return /^add\b/i.test(action) && !/^add(?:\s+new)?(?:\s+file)?$/i.test(action)
      ? undefined
      : "create";
  }
  if (/^(?:delete[ds]?|remove[ds]?|drop(?:ped)?)\b/i.test(action) && action.length < 60)
    return "absent";
  return sectionPolarity(section);
}

/** "Files to create" and "Files Created" speak for everything below them. */
export function sectionPolarity(section: string): Polarity | undefined {
  if (/\bfiles?\s+to\s+(?:be\s+)?(?:create|add)d?|\bnew\s+files?\b/i.test(section)) return "create";
  if (/\bfiles?\s+(?:created|added)\b|\b(?:created|added)\s+files?\b/i.test(section))
    return "created";
  return /\bfiles?\s+(?:deleted|removed|to\s+(?:delete|remove))\b|\b(?:deleted|removed)\s+files?\b/i.test(
    section,
  )
    ? "absent"
    : undefined;
}
