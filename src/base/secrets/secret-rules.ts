// The formats of secrets, as data. Every pattern is bounded or consumes what it scans, so that a
// search takes linear time.

export type SecretRule = {
  /** What the mask says instead of the value. */
  kind: string;
  /** Literals of at least two characters; every match contains one of them. */
  hints: readonly string[];
  /**
   * Used instead of hints if matches have no literal in common: a cheap pattern that every match
   * contains.
   */
  shape?: RegExp;
  /** Group 1, if there is one, is the secret; otherwise the whole match is. */
  pattern: RegExp;
  /**
   * The match counts only where a token can begin. This is not part of the pattern because a
   * leading lookbehind makes the search slow.
   */
  atTokenStart?: boolean;
  /** A second check of the value, for patterns that ordinary text can match too. */
  accept?: (value: string) => boolean;
};

/** A name whose value is a secret. */
export const secretName = `(?:${[
  String.raw`pass(?:word|wd|phrase)?|pwd|secret(?:[_.-]?(?:access)?[_.-]?key)?`,
  String.raw`(?<!publickey)(?:auth|access|refresh|bearer|session|id|bot|api|private|deploy|security)?[_.-]?token`,
  String.raw`(?:api|access|private|secret|encryption|signing|account|master|auth|service)[_.-]?key`,
  String.raw`credentials?|connection[_.-]?string`,
].join("|")})`;

/** Not preceded by a token character, or preceded by an escape such as `\n` in JSON text. */
const start = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf]))`;

const rule = (kind: string, hints: string | readonly string[], source: string): SecretRule => ({
  kind,
  hints: typeof hints === "string" ? [hints] : hints,
  pattern: new RegExp(source, "g"),
});

const atStart = (...args: Parameters<typeof rule>): SecretRule => ({
  ...rule(...args),
  atTokenStart: true,
});

const hasDigitAndLetter = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value);

const tokenStart = new RegExp(start, "y");

/** Whether a token can begin at `index`. */
export function isTokenStart(text: string, index: number): boolean {
  tokenStart.lastIndex = index;
  return tokenStart.test(text);
}

/** Tokens with a prefix by which their maker marks them. */
export const tokenRules: readonly SecretRule[] = [
  {
    ...rule(
      "aws-access-key",
      ["AKIA", "ASIA", "ABIA", "ACCA"],
      String.raw`(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])`,
    ),
    accept: (value) => !value.endsWith("EXAMPLE"),
  },
  rule(
    "github-token",
    ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    String.raw`gh[pousr]_[A-Za-z0-9]{30,255}`,
  ),
  rule("github-token", "github_pat_", String.raw`github_pat_[A-Za-z0-9_]{22,255}`),
  atStart(
    "gitlab-token",
    "gl",
    String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{20,300}`,
  ),
  {
    ...rule("slack-token", "xox", String.raw`xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,250}`),
    accept: (value) => /\d/.test(value),
  },
  rule("slack-token", "xapp-", String.raw`xapp-\d-[A-Za-z0-9-]{20,250}`),
  rule(
    "slack-webhook",
    "hooks.slack.com",
    String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/]{20,150})`,
  ),
  rule("google-api-key", "AIza", String.raw`AIza[A-Za-z0-9_-]{35}`),
  rule("google-oauth-token", "ya29.", String.raw`ya29\.[A-Za-z0-9_.-]{20,2000}`),
  rule("google-oauth-secret", "GOCSPX-", String.raw`GOCSPX-[A-Za-z0-9_-]{20,60}`),
  atStart("google-refresh-token", "1//0", String.raw`1//0[A-Za-z0-9_-]{40,200}`),
  rule("anthropic-key", "sk-ant-", String.raw`sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{16,250}`),
  rule("openrouter-key", "sk-or-", String.raw`sk-or-(?:v\d-)?[A-Za-z0-9]{32,128}`),
  atStart("openai-key", "sk-", String.raw`sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}`),
  {
    ...atStart("openai-key", "sk-", String.raw`sk-[A-Za-z0-9]{20,128}`),
    accept: hasDigitAndLetter,
  },
  rule("stripe-key", ["sk_", "rk_"], String.raw`(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,250}`),
  rule("stripe-webhook-secret", "whsec_", String.raw`whsec_[A-Za-z0-9+/=]{20,128}`),
  atStart("npm-token", "npm_", String.raw`npm_[A-Za-z0-9]{36,128}`),
  rule("pypi-token", "pypi-", String.raw`pypi-AgE[A-Za-z0-9_-]{40,400}`),
  rule("rubygems-key", "rubygems_", String.raw`rubygems_[a-f0-9]{48}`),
  rule("sendgrid-key", "SG.", String.raw`SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}`),
  atStart("twilio-key", "SK", String.raw`SK[0-9a-f]{32}(?![0-9a-fA-F])`),
  atStart("mailgun-key", "key-", String.raw`key-[0-9a-f]{32}(?![0-9a-f])`),
  {
    ...rule(
      "discord-token",
      [],
      String.raw`${start}[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,45}`,
    ),
    shape: /\.[\w-]{6,7}\./,
  },
  rule(
    "discord-webhook",
    "/api/webhooks/",
    String.raw`discord(?:app)?\.com/api/webhooks/\d{5,25}/([A-Za-z0-9_-]{40,100})`,
  ),
  rule("telegram-token", ":AA", String.raw`(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{32,35}`),
  atStart("hugging-face-token", "hf_", String.raw`hf_[A-Za-z0-9]{30,60}`),
  atStart("groq-key", "gsk_", String.raw`gsk_[A-Za-z0-9]{40,80}`),
  atStart("xai-key", "xai-", String.raw`xai-[A-Za-z0-9]{60,120}`),
  atStart("perplexity-key", "pplx-", String.raw`pplx-[A-Za-z0-9]{40,80}`),
  atStart("replicate-token", "r8_", String.raw`r8_[A-Za-z0-9]{36,40}`),
  rule("digitalocean-token", "_v1_", String.raw`do[opr]_v1_[a-f0-9]{64}`),
  atStart("databricks-token", "dapi", String.raw`dapi[0-9a-f]{32}(?:-\d)?`),
  rule("docker-token", "dckr_", String.raw`dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,64}`),
  rule("shopify-token", "shp", String.raw`shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}`),
  rule("square-token", "sq0", String.raw`sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,60}`),
  rule("linear-key", "lin_", String.raw`lin_(?:api|oauth)_[A-Za-z0-9]{32,64}`),
  atStart("notion-token", "ntn_", String.raw`ntn_[A-Za-z0-9]{40,60}`),
  atStart("vault-token", ["hvs.", "hvb."], String.raw`hv[sb]\.[A-Za-z0-9_-]{24,300}`),
  atStart(
    "terraform-token",
    ".atlasv1.",
    String.raw`[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}`,
  ),
  rule("atlassian-token", "ATATT3", String.raw`ATATT3[A-Za-z0-9_=-]{100,300}`),
  atStart("figma-token", "fig", String.raw`fig[dour]_[A-Za-z0-9_-]{35,80}`),
  atStart("grafana-token", "gl", String.raw`gl(?:c|sa)_[A-Za-z0-9+/=_]{32,400}`),
  rule("sentry-token", "sntry", String.raw`sntry[su]_[A-Za-z0-9+/=_-]{40,400}`),
  atStart("supabase-key", "sb", String.raw`sb(?:p|_secret)_[A-Za-z0-9_-]{30,80}`),
  rule("planetscale-token", "pscale_", String.raw`pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}`),
  rule("newrelic-key", "NRAK-", String.raw`NRAK-[A-Z0-9]{27}`),
  rule("age-key", "AGE-SECRET-KEY-1", String.raw`AGE-SECRET-KEY-1[A-Z0-9]{58}`),
  rule(
    "azure-key",
    ["AccountKey=", "SharedAccessKey="],
    String.raw`(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})`,
  ),
  rule("azure-sas", "sig=", String.raw`[?&]sig=([A-Za-z0-9%+/=]{43,120})`),
  rule("azure-client-secret", "Q~", String.raw`[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}`),
  rule(
    "jwt",
    "eyJ",
    String.raw`${start}eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}(?:\.[A-Za-z0-9_-]{0,2000})?`,
  ),
];
