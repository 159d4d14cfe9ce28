// How a line of a file is called and joined in the languages that reports are written in: pieces of expressions for what reads places.

/** "line", "Zeile", "ligne", …; a bare L only before its number. */
export const lineWord =
  "(?:lines?|ln\\.?|ll?\\.|rows?|zeilen?|lignes?|l[ií]neas?|linhas?|rig(?:a|he)|regels?|rad(?:en|er)?|linje[nr]?|wiersz\\w{0,3}|lini[aięi]{1,2}|rivi\\w{0,3}|sat[ıi]r\\w{0,3}|строк[а-я]{0,3}|рядк[а-яі]{0,3}|рядок|dòng|baris|řád[ek]\\S{0,3}|riad[ok]\\S{0,3}|γραμμή|السطر|سطر|שורה|पंक्ति|लाइन|บรรทัด|L(?=\\d))";

/** Between the first and the last line, beside a dash. */
export const toWord =
  "(?:\\b(?:to|through|thru|until|bis|tot|til|till)\\b|(?<=(?:l[ií]neas|linhas|righe|wiersze|linie)\\s\\d{1,9}\\s)(?:al?|do)\\b|(?<=\\s)(?:à|au|até|ate|до|по)(?=\\s)|到|至|から|,?\\s?(?:and\\s)?(?:end|finish|clos|stop|run|extend|continu)\\w{0,4}\\s(?:on|at|in|to|until|with|through|up\\sto)\\b)";

/** Between a line and its file: "line 45 of the file". */
export const ofWord =
  "(?:of|in|from|at|within|inside|on|into|for|von|vom|aus|der|des|im|de|du|del|dans|di|da|do|della|nel|nella|em|en|no|na|van|uit|av|i|w|z|в|из|у)";
export const fileWord =
  "(?:the|la|le|les|el|il|lo|o|die|dem|den|das|het|file|source|datei|fichier|archivo|fichero|ficheiro|arquivo|bestand|filen?|plik\\w{0,2}|файла?|файле)";

/** 第 45 行, 45 行目, 45번째 줄: the number stands inside the word. */
export const countedLine =
  "(?:第\\s?)?(\\d{1,9})(?:\\s?(?:[-‐‑–—~〜～到至]|から)\\s?(?:第\\s?)?(\\d{1,9}))?\\s?(?:行目?|번째\\s?(?:줄|행)|줄|행|\\.\\s?(?:sat[ıi]r|řád[ek]|riad[ok]|sor(?![a-z]{5}))[^\\s.,;:)]{0,8})";

/** A cheap look for a line in words, before anything dearer. */
export const mayNameLine = new RegExp(
  `${lineWord}[*_]*\\s?(?:#|№)?\\s?-?\\d|\\d\\s?(?:行|번째|줄|행)|\\d\\.\\s?(?:sat|řád|riad|sor)`,
  "i",
);
