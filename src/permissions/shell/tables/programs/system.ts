// Commands about machines, processes and containers.
import type { CommandSpec } from "../command-spec.ts";

const exposes = `
    -v --volume --mount --volumes-from --privileged --pid --net --network --ipc --uts --userns
    --cap-add --device --security-opt --entrypoint --env-file --cgroup-parent`;
const startsContainer: CommandSpec = {
  operands: "none",
  strict: true,
  valued: `
      -e -w -u --name --env --workdir --user -p --publish -v --volume --mount --volumes-from --pid
      --net --network --ipc --uts --userns --cap-add --device --security-opt --entrypoint --env-file`,
  reads: "--env-file",
  runs: exposes,
};
const runsInside: CommandSpec = {
  operands: "none",
  strict: true,
  runs: "--privileged",
  valued: "-e -w -u --env --workdir --user",
  spelled: "It runs a command in a container.",
};
const buildsImage: CommandSpec = {
  operands: "read",
  recursive: "always",
  writes: "--iidfile --metadata-file",
  runs: "--secret --ssh --allow --output -o --build-context",
  reads: "-f --file",
  valued:
    "-t --tag --build-arg --target --platform --progress --cache-from --cache-to --label --network",
};
const compose: CommandSpec = {
  operands: "unknown",
  // Behind the subcommand -f means something else.
  strict: true,
  runs: "-f --file --env-file --project-directory --profile",
  subcommands: {
    exec: runsInside,
    run: { ...startsContainer, spelled: "It runs a command in a container." },
    cp: { asks: "It moves files past the workspace." },
    logs: { operands: "none", valued: "--tail --since --until -n" },
    build: { operands: "none", runs: "--ssh" },
  },
};

const container: CommandSpec = {
  operands: "unknown",
  runs: "-H --host -c --context --config",
  subcommands: {
    run: startsContainer,
    create: startsContainer,
    build: buildsImage,
    buildx: { operands: "unknown", subcommands: { build: buildsImage } },
    cp: { asks: "docker cp moves files past the workspace." },
    exec: runsInside,
    container: {
      operands: "unknown",
      subcommands: {
        run: startsContainer,
        create: startsContainer,
        exec: runsInside,
        cp: { asks: "docker container cp moves files past the workspace." },
      },
    },
    save: { operands: "none", makes: "-o --output" },
    export: { operands: "none", makes: "-o --output" },
    load: { operands: "none", reads: "-i --input" },
    import: { operands: "read" },
    plugin: { asks: "docker plugin adds programs with the rights of the machine." },
    login: { asks: "docker login stores credentials." },
    compose,
  },
};

export const systemCommands: Record<string, CommandSpec> = {
  ps: { judge: "ps", operands: "none" },
  kill: { operands: "none", valued: "-s -n -q" },
  pkill: { operands: "none" },
  killall: { operands: "none" },
  lsof: { operands: "list" },
  docker: container,
  podman: container,
  nerdctl: container,
  "docker-compose": compose,
  kubectl: {
    options: "anywhere",
    operands: "unknown",
    runs: "--kubeconfig --server -s --token --as --context",
    reads: "-f --filename",
    subcommands: {
      exec: { asks: "kubectl exec runs a command in a cluster." },
      cp: { asks: "kubectl cp moves files." },
      proxy: { asks: "kubectl proxy opens a server." },
      edit: { asks: "kubectl edit runs an editor." },
      plugin: { asks: "kubectl plugin runs foreign programs." },
      debug: { asks: "kubectl debug runs a command in a cluster." },
      attach: { asks: "kubectl attach reaches into a cluster." },
      run: { spelled: "kubectl run starts a program in a cluster.", operands: "none" },
      "port-forward": { asks: "kubectl port-forward opens a way through." },
      config: { spelled: "kubectl config shows and changes credentials.", operands: "none" },
      kustomize: {
        operands: "read",
        runs: "--enable-exec --enable-alpha-plugins --enable-helm --load-restrictor",
      },
    },
  },
  helm: {
    options: "anywhere",
    operands: "unknown",
    runs: "--post-renderer --kubeconfig --kube-apiserver --registry-config --repository-config",
    subcommands: { plugin: { asks: "helm plugin adds programs." } },
  },
  terraform: {
    options: "anywhere",
    operands: "unknown",
    runs: "-chdir -plugin-dir",
    makes: "-out",
    writes: "-state -state-out -backup",
    singleDash: true,
    subcommands: {
      fmt: {
        operands: "format",
        fallback: ".",
        checks: "-check -write=false",
        singleDash: true,
      },
      plan: {
        operands: "unknown",
        makes: "-out",
        writes: "-state-out -generate-config-out",
        reads: "-var-file -state",
        singleDash: true,
      },
    },
  },
  claude: {
    operands: "unknown",
    subcommands: {
      mcp: { asks: "claude mcp changes which servers agents use." },
      config: { asks: "claude config changes what agents may do." },
      plugin: { asks: "claude plugin adds code to agents." },
    },
  },
  ansible: { asks: "ansible runs commands on machines." },
  coreutils: { asks: "coreutils runs any of its programs." },
  crontab: { asks: "crontab makes commands run later." },
  at: { asks: "at makes commands run later." },
  batch: { asks: "batch makes commands run later." },
  systemctl: { asks: "systemctl controls the machine's services." },
  "systemd-run": { asks: "systemd-run starts services." },
  launchctl: { asks: "launchctl controls the machine's services." },
  service: { asks: "service controls the machine's services." },
  mount: { asks: "mount changes the file system." },
  umount: { asks: "umount changes the file system." },
  tmux: { asks: "tmux runs commands outside of this call." },
  screen: { asks: "screen runs commands outside of this call." },
  bwrap: { asks: "bwrap runs commands in a namespace of its own making." },
  entr: { asks: "entr runs commands when files change." },
  tcpdump: { asks: "tcpdump can run programs and records traffic." },
  visudo: { asks: "visudo changes who may become root." },
  passwd: { asks: "passwd changes credentials." },
  useradd: { asks: "useradd changes who may log in." },
  ldd: { operands: "execute" },
  sysctl: { asks: "sysctl changes the kernel's settings." },
  iptables: { asks: "iptables changes the network rules." },
  reboot: { asks: "reboot stops the machine." },
  shutdown: { asks: "shutdown stops the machine." },
  mkfs: { asks: "mkfs destroys file systems." },
  apt: { asks: "apt changes the system." },
  "apt-get": { asks: "apt-get changes the system." },
  dpkg: { asks: "dpkg changes the system." },
  rpm: { asks: "rpm changes the system and runs macros." },
  snap: { asks: "snap changes the system." },
  flatpak: { asks: "flatpak runs applications." },
  nix: { asks: "nix builds and runs foreign programs." },
  "nix-shell": { asks: "nix-shell runs what it is given." },
  "nix-build": { asks: "nix-build runs what it is given." },
  guix: { asks: "guix builds and runs foreign programs." },
  zellij: { asks: "zellij runs commands outside of this call." },
  watchexec: { asks: "watchexec runs commands when files change." },
  "watchman-make": { asks: "watchman-make runs commands when files change." },
  inotifywait: { operands: "list", writes: "-o --outfile", reads: "--fromfile" },
  nodemon: { operands: "execute", runs: "-x --exec -r --require --config" },
  concurrently: { asks: "concurrently runs its arguments." },
  hyperfine: { asks: "hyperfine runs its arguments." },
  logrotate: { asks: "logrotate runs scripts that its configuration names." },
  "xdg-open": { asks: "xdg-open starts programs." },
  open: { asks: "open starts programs." },
  "start-stop-daemon": { asks: "start-stop-daemon runs a program." },
  rename: { asks: "rename runs its argument." },
  prename: { asks: "prename runs its argument." },
  vidir: { asks: "vidir runs an editor and moves files." },
  vipe: { asks: "vipe runs an editor." },
  "systemd-nspawn": { asks: "systemd-nspawn runs commands in a place of its own." },
  "run-parts": { asks: "run-parts runs every program of a folder." },
  pidstat: { operands: "none", runs: "-e" },
  ip: {
    operands: "none",
    runs: "-b -batch -n -netns",
    subcommands: { netns: { asks: "ip netns runs commands in another network." } },
  },
  ldconfig: { asks: "ldconfig changes which libraries programs load." },
  journalctl: {
    operands: "none",
    reads: "--file --root --directory -D",
    edits: `
        --vacuum-size --vacuum-time --vacuum-files --rotate --flush --relinquish-var --sync
        --setup-keys --update-catalog`,
    writes: "--cursor-file",
    valued: "-u -n --since --until --unit --lines -p",
  },
  dmesg: { operands: "none", reads: "-F --file" },
  brew: { operands: "unknown" },
  newgrp: { asks: "newgrp starts a shell with other rights." },
  ngrok: { asks: "ngrok opens this machine to the network." },
  cloudflared: { asks: "cloudflared opens this machine to the network." },
  tailscale: {
    operands: "unknown",
    subcommands: {
      ssh: { asks: "tailscale ssh runs commands elsewhere." },
      file: { asks: "tailscale file moves files." },
      funnel: { asks: "tailscale funnel opens this machine to the network." },
      serve: { asks: "tailscale serve opens this machine to the network." },
      set: { asks: "tailscale set changes who reaches this machine." },
    },
  },
  rclone: {
    operands: "unknown",
    runs: "--config --password-command --sftp-ssh --webdav-bearer-token-command",
    subcommands: {
      serve: { asks: "rclone serve opens a server." },
      mount: { asks: "rclone mount changes the file system." },
      rc: { asks: "rclone rc controls another process." },
      config: { asks: "rclone config shows and changes credentials." },
    },
  },
  sops: {
    operands: "unknown",
    subcommands: {
      "exec-env": { asks: "sops exec-env runs its argument." },
      "exec-file": { asks: "sops exec-file runs its argument." },
    },
  },
  rustup: {
    operands: "unknown",
    subcommands: {
      run: { launches: true, strict: true, operands: "none", asks: "rustup run runs any program." },
      default: { spelled: "rustup default changes which compiler runs.", operands: "none" },
      override: { spelled: "rustup override changes which compiler runs.", operands: "none" },
      toolchain: {
        operands: "none",
        subcommands: { link: { asks: "rustup toolchain link changes which compiler runs." } },
      },
    },
  },
};
