// Programs that are neither a check nor a delivery, by what they do with a project.

/** Programs that run code or talk to something, and are no check by themselves. */
export const ordinaryPrograms: ReadonlySet<string> = new Set(
  (
    "node python ruby perl php java deno bun tsx ts-node go cargo dotnet elixir iex mix swift curl wget " +
    "http docker podman docker-compose psql mysql sqlite3 redis-cli mongosh rails flask uvicorn " +
    "gunicorn django-admin manage.py npm pnpm yarn npx pip kubectl terraform aws gcloud az " +
    "ssh make java kotlin scala Rscript lua gh glab vercel netlify fly heroku " +
    "claude ffmpeg openssl nc telnet ping dig ab wrk hey k6 hyperfine valgrind strace perf gdb lldb time swift"
  ).split(" "),
);
/** Programs that fetch, install or move things about. */
export const handlingPrograms: ReadonlySet<string> = new Set(
  (
    "git tar unzip zip gzip apt apt-get brew dnf yum apk pacman pip pipx gem composer bundle corepack nvm fnm volta " +
    "patch install rsync ln crontab systemctl service launchctl ssh-keygen defaults xcode-select " +
    "code cursor vim nano " +
    "npm pnpm yarn poetry pdm pipenv rye uv conda mamba go-mod rustup sdk asdf mise direnv"
  ).split(" "),
);

/** Programs that are known to be no check. */
export const otherPrograms: ReadonlySet<string> = new Set(
  "makemigrations cmake configure autoconf automake protoc buf sass tailwindcss husky nodemon pm2".split(
    " ",
  ),
);
