// The one list of places with keys, sign-ins, histories and token caches of common tools. Commands in
// the sandbox do not see them.

/** Folders and files, relative to the home folder. They are not there for commands. */
export const secretPlaces: readonly string[] = [
  // Keys and passwords.
  `.ssh .gnupg .password-store .1password .vault-token .config/sops .sops .config/op
  .config/1Password .config/Bitwarden .config/age .keychain .local/share/keyrings
  .local/share/kwalletd .config/keepassxc .config/rbw .pki .config/pulse/cookie
  .Xauthority .ICEauthority`,
  // Clouds and clusters.
  `.aws .azure .oci .kube .docker .config/gcloud .config/doctl .config/rclone
  .config/heroku .terraform.d .terraformrc .pulumi .s3cfg .boto .mc .config/containers
  .config/helm .fly .config/flyctl .config/netlify .vercel .config/hcloud
  .config/linode-cli .config/scw .config/stripe .config/ngrok .cloudflared
  .config/.wrangler .wrangler .snowflake .databrickscfg .bluemix`,
  // Hosts of code, packages and models.
  `.config/gh .config/hub .config/glab-cli .config/github-copilot .config/tea
  .cache/huggingface .huggingface .kaggle .config/openai .openai .anthropic
  .config/configstore .config/netrc .local/share/com.vercel.cli`,
  // Agents: their sign-ins and what was said to them.
  `.claude.json .codex .gemini .cursor .config/cursor .aider .continue
  .local/share/opencode .config/goose .qwen .amazonq .aws-q .local/share/amazon-q`,
  // Browsers, mail and chat.
  `.config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge
  .config/vivaldi .config/opera .mozilla .thunderbird .config/Signal .config/Slack
  .config/discord .config/evolution .local/share/evolution .mutt .config/mutt`,
  // Histories.
  `.bash_history .zsh_history .zhistory .histfile .history .sh_history
  .local/share/fish/fish_history .python_history .node_repl_history .lesshst .psql_history
  .mysql_history .sqlite_history .rediscli_history .dbshell .mongodb .irb_history .viminfo
  .wget-hsts .local/share/atuin .zsh_sessions .ipython/profile_default/history.sqlite
  .local/share/recently-used.xbel`,
].flatMap((names) => names.split(/\s+/));

/** Files with keys in them that programs read as settings and fail without: they read as empty. */
export const keyedSettings: readonly string[] = [
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".config/git/credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".config/pip/pip.conf",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".config/hub",
  ".bundle/config",
  ".composer/auth.json",
  ".config/composer/auth.json",
  ".nuget/NuGet/NuGet.Config",
  ".condarc",
];

/** Of the machine; only root could read them. */
export const systemSecrets: readonly string[] = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssl/private",
  "/etc/ssh/ssh_host_rsa_key",
  "/etc/ssh/ssh_host_ecdsa_key",
  "/etc/ssh/ssh_host_ed25519_key",
  "/etc/krb5.keytab",
  "/etc/kubernetes",
  "/etc/rancher",
];
