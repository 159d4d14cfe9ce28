// Words that only tie a name to its place: with nothing but these between them, the one speaks about the other.

const words = new Set(
  (
    "spans span covers occupies runs comes come coming originates taken provided belongs residing is are was were be been being at in on of from to the a an its it this that these those there here and where which as via under by inside within into see cf also both currently now just only " +
    "defined declared implemented located found lives live living sits sit resides resided starts start begins begin appears appear occurs occur exported imported used called invoked referenced instantiated created registered introduced stands stand placed set assigned read " +
    "defines declares implements contains contain calls call invokes uses use has holds shows reads says returns exports imports references creates sets registers " +
    "function functions func fn method methods class classes struct structs interface interfaces type types enum const constant variable var symbol macro module field property prop hook component helper handler constructor routine procedure subroutine sub getter setter decorator selector key heading section entry statement expression declaration definition implementation body signature code snippet quote text source content match evidence ref reference location file path line lines col column columns char character pos position around near i.e viz namely same ibid ibidem idem ts js py " +
    "die der das dem den des ein eine im am vom von aus ist sind wird werden steht stehen liegt liegen befindet sich definiert deklariert implementiert beginnt findet heißt lautet enthält funktion methode klasse variable konstante datei zeile zeilen hier und bis " +
    "le la les l un une des du de dans est sont se trouve trouvent située situé défini définie déclaré déclarée implémenté implémentée commence figure lit contient à au fonction méthode classe variable constante fichier ligne lignes et ici " +
    "el los las del en es son está están se encuentra encuentran definido definida declarado declarada implementado implementada empieza comienza aparece contiene dice función método clase archivo fichero línea líneas linea y aquí al " +
    "o os da na em é são fica ficam está encontra definido definida declarada implementada começa contém função método arquivo ficheiro linha linhas e aqui " +
    "il lo gli di nel nella alla alle è sono si trova trovano definito definita dichiarata implementata inizia contiene funzione metodo riga righe qui " +
    "de het een van uit staat staan bevindt zich gedefinieerd gedeclareerd functie klasse bestand regel regels op " +
    "в на из и это находится находятся определена определён определен определяется объявлена объявлен реализована реализован начинается содержит функция метод класс переменная константа файл файле файла строка строке строки написано указано стоит вызывается используется определяет вызывает"
  ).split(" "),
);

/** Languages without blanks: the whole run is made of such pieces. */
const pieces =
  /^(?:定义|定義|声明|宣言|实现|實現|実装|位于|位於|存在|开始|開始|在|于|於|中|里|裡|内|的|第|行|目|处|處|函数|函數|関数|方法|メソッド|变量|変数|类|類|クラス|文件|檔案|ファイル|是|被|见|見|参见|参照|这|該|该|は|が|を|の|に|で|と|も|あり|ある|ます|です|され|して|て|い|る|함수|메서드|클래스|파일|는|은|이|가|의|에|에서|있|습니다|정의|되어)+$/;

/** Whether a word (in lower case) says nothing but where or what something is. */
export function connects(word: string): boolean {
  if (
    word.charCodeAt(0) > 0x2fff &&
    word.length <= 10 &&
    !/[没沒不無无未缺欠非]|ない|ませ|なし|없|않|아니/.test(word)
  )
    return true;
  return (
    words.has(word) ||
    (word.charCodeAt(0) < 58 && /^\d+$/.test(word)) ||
    (word.charCodeAt(0) > 0x2fff && pieces.test(word))
  );
}
