// What names of options and endings of files say about a program that nobody has described.

const wordsOf = (text: string): string => text.trim().split(/\s+/).join("|");

/** Text that people write for people. */
export const freeTextOption =
  /^(?:-m|--(?:message|title|body|description|desc|comment|subject|summary|notes?|label|text))$/;

/** Flags that say how much is shown, or that less is done. */
export const plainFlag = new RegExp(
  `^(?:-[hvVq]|-vv+|--?(?:${wordsOf(`
    help version verbose quiet silent debug json yaml csv no-colou?r colou?r no-progress progress
    summary stats list all dry-run check strict fail-fast watch force yes no-input non-interactive
    ci prod production preview staging dev no-cache offline staged cached coverage long short full
    brief pretty recursive no-verbose`)}))$`,
);

/** Options whose value is a count or a word for people. What is made has to be spelled by a rule. */
export const plainValue = new RegExp(
  `^(?:-n|--?(?:${wordsOf(`
    format name type priority port only
    level log-level limit count timeout jobs threads workers concurrency width columns depth days
    since until date author assignee labels? tags? status state sort order colou?r theme lang
    language locale indent line-length exclude ignore seed retries page per-page search query
    (?:max|min)-[a-z-]+`)}))$`,
);

/** Programs that only look at the files they are given: their names say so. */
export const checkerName =
  /lint|fmt|format|check|style|spell|tidy|count|cloc|unix|diff|highlight|strip|audit|scan/i;

const alwaysLoads = new RegExp(
  `^--?(?:${wordsOf(`
    load loader load-[a-z-]+ import hooks? hook-[a-z-]+ dlopen rsh remote-sh use-compress-program
    to-command callback on-[a-z-]+ pager editor terminal shell cc cxx ld linker clang compiler
    compiler-path cxx-compiler c-compiler runner run-with exec-wrapper prog program executable
    binary bin tool helper handler notifier daemon mailer sendmail use`)})$`,
  "i",
);

const loadsPath = new RegExp(
  `^--?(?:${wordsOf(`
    scripts? script-[a-z-]+ [a-z-]+-script skeleton template templates macros? macro-[a-z-]+ init
    init-file rcfile rc startup startup-file modules? module-path modules-path library libraries lib
    library-path ld-path extensions? ext agent agents renderer formatter reporter driver transport
    backend engine processor filters? filter-[a-z-]+ transform transformer resolver parser rules?
    rules-dir rulesdir rule-path with source-command toolchain sdk root-command
    plugin[a-z-]* addons? custom-[a-z-]+ user-[a-z-]+ generator schema-loader env-file env
    vault-password-file password-file password-command inventory
    (?:[a-z-]+-)?(?:python|perl|ruby|node|java|php|lua|bash|sh)`)})$`,
  "i",
);

/** Its value may be a folder in which the program looks for others to start. */
export const folderOption = new RegExp(
  `^(?:-[A-Z]|--?(?:[a-z-]+-)?(?:${wordsOf(`
    bin tools? sdk toolchain exec libexec helpers? plugins?`)})(?:-?(?:dir|path|folder|prefix|root))?)$`,
);

const endsLikeCode =
  /(?:file|path|presets?|listener|syntax|formatter|reporter|module|parser|resolver|transform)s?$/i;

/** The option says that its value is started or loaded; some mean it only where it is a path. */
export const loadingOption = (option: string, isPath: boolean): boolean =>
  alwaysLoads.test(option) ||
  (isPath && (loadsPath.test(option) || (endsLikeCode.test(option) && !isPlainInput(option))));

const isPlainInput = (option: string): boolean => plainInputOption.test(option);

/** Settings by their file: whatever is no plain data may hold more than settings. */
export const settingsFile = /^--?(?:config|conf|cfg|options|settings|opts)(?:-?file)$|^--options$/i;

export const settingsOption =
  /^(?:-c|--?(?:[a-z-]+-)?(?:config|conf|cfg|configuration|config-file|settings|options-file|opts|rules-file))$/i;

/** What is read or written as data, left out or looked for. */
export const plainInputOption = new RegExp(
  `^--?(?:${wordsOf(`
    in out input output infile outfile in-file out-file files? file-name filename path paths src
    source from to target dest destination entry exclude include ignore skip only match glob pattern
    stdin-filepath stdin-filename stdin-name report diff base head old new left right name names
    lang language format type o i f`)})(?:-[a-z]+)?$`,
  "i",
);

export const sendingOption = new RegExp(
  `^--?(?:${wordsOf(`
    host hostname server url uri endpoint remote upload upload-to publish push send send-to webhook
    report-to share submit to dest destination proxy registry mirror gateway broker collector sink
    api api-url base-url target h H`)})$`,
  "i",
);

/** It sends by itself, to wherever the program has been told. */
export const sendingFlag = new RegExp(
  `^--(?:${wordsOf(`
    upload publish share submit send post pastebin paste gist webhook phone-home deploy push`)})(?:-[a-z-]+)?$`,
  "i",
);

/** A subcommand that hands something to others, or opens a way in. */
export const sendingPart =
  /^(?:publish|upload|gh-deploy|share|send|tunnel|expose|login|release|submit|sync-secrets)$/;

const codeEndings = new RegExp(
  `\\.(?:${wordsOf(`
    sh bash zsh ksh csh fish m4 so dylib dll jar war class wasm awk tcl exp vim el elc scm lisp ps1
    psm1 bat cmd exe com run gdb lldb groovy kts gradle bsh xslt xsl pyc pyo o ko vbs applescript`)})$`,
  "i",
);
const sourceEndings = new RegExp(
  `\\.(?:${wordsOf(`
    py pyw js mjs cjs jsx ts mts cts tsx rb pl pm lua php r jl ex exs clj cljs hs ml nix star bzl rkt
    gp m`)})$`,
  "i",
);

/** Nothing but a program ends so. */
export const isCodeFile = (path: string): boolean => codeEndings.test(path);
/** A program, and just as often what a program is given to look at. */
export const isSourceFile = (path: string): boolean => sourceEndings.test(path);
const dataEndings = new RegExp(
  `\\.(?:${wordsOf(`
    json[5cl]? ya?ml toml ini cfg conf config xml properties txt csv tsv md rst lock env html? css svg
    png log sql proto graphql tmpl tpl j2 rules?`)})$`,
  "i",
);
export const isDataFile = (path: string): boolean => dataEndings.test(path);
