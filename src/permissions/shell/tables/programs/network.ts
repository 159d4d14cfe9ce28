// Commands that talk to other machines.
import type { CommandSpec } from "../command-spec.ts";

const commands: Record<string, CommandSpec> = {
  curl: {
    judge: "curl",
    operands: "none",
    valued: `
        -X -H -A -e -u -m -w -r -y -Y -z -C -P --request --header --user-agent --referer --user
        --max-time --connect-timeout --write-out --range --retry --retry-delay --retry-max-time
        --limit-rate --max-redirs --data-raw --json-raw --ciphers --tls-max --time-cond
        --continue-at --interface --local-port --max-filesize --speed-limit --speed-time
        --oauth2-bearer`,
    reads: "-E --cert --key --cacert --capath --netrc-file --crlfile --pinnedpubkey",
    makes: "-o --output --output-dir",
    writes: `
        -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --hsts --alt-svc --etag-save
        --libcurl`,
    runs: `
      -K --config -x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --resolve
      --connect-to --unix-socket --abstract-unix-socket --doh-url --dns-servers --engine -: --next
      --proxy-header -U --proxy-user --proto --proto-default --url --variable --krb --ftp-account`,
  },
  wget: {
    judge: "url-operands",
    operands: "none",
    valued: `
        -t -T -w -l -A -R -D -U -Q -e --tries --timeout --wait --level --accept --reject --domains
        --user-agent --header --quota --limit-rate --method --body-data --post-data --user
        --password --referer --max-redirect`,
    reads: `
        -i --input-file --post-file --body-file --load-cookies --ca-certificate --ca-directory
        --certificate --private-key --crl-file`,
    makes: "-O -P --output-document --directory-prefix",
    writes: `
        -o -a --output-file --append-output --save-cookies --hsts-file --warc-file --rejected-log
        --warc-tempdir --warc-dedup`,
    runs: "--use-askpass --config -e --execute --proxy-user --base -B --unlink",
  },
  ssh: {
    judge: "ssh",
    operands: "none",
    valued: "-l -p -b -B -c -m -D -L -R -W -w -e -o -F -E -S -I -i -J -O",
    runs: "-o -F -E -S -I -i -J -O -D -L -R -W -w -A -K -X -Y -M -N -f -g -s",
    strict: true,
  },
  scp: {
    judge: "remote",
    operands: "copy",
    recursive: "-r",
    runs: "-o -F -S -i -J",
    valued: "-P -l -c",
  },
  sftp: { asks: "sftp moves files over the network." },
  "ssh-keygen": { asks: "ssh-keygen makes, reads and changes keys." },
  "ssh-add": { asks: "ssh-add hands keys out and loads libraries." },
  "ssh-copy-id": { asks: "ssh-copy-id gives a key access to another machine." },
  "ssh-agent": { asks: "ssh-agent hands keys out." },
  aria2c: {
    judge: "url-operands",
    operands: "none",
    makes: "-d -o --dir --out",
    writes: "-l --log --save-session --save-cookies",
    reads: "-i --input-file --load-cookies",
    runs: `
      --on-download-complete --on-download-start --on-download-error --on-bt-download-complete
      --on-download-stop --on-download-pause --conf-path --all-proxy --enable-rpc`,
  },
  lynx: { operands: "unknown", runs: "-cmd_script -cfg -lss -editor -source", singleDash: true },
  w3m: { operands: "unknown", runs: "-config -o", singleDash: true },
  links: { operands: "unknown", singleDash: true },
  nmap: {
    operands: "none",
    runs: "--script --script-args-file --datadir --servicedb --versiondb --proxies --script-updatedb",
    reads: "-iL --excludefile",
    writes: "-oN -oX -oG -oA -oS -oM",
    valued: "-p -T --top-ports",
  },
  tshark: { asks: "tshark records traffic and runs scripts." },
  wireshark: { asks: "wireshark records traffic and runs scripts." },
  mailx: { asks: "mailx sends data and can run programs." },
  mail: { asks: "mail sends data and can run programs." },
  mutt: { asks: "mutt sends data and can run programs." },
  sendmail: { asks: "sendmail sends data." },
  glab: {
    operands: "unknown",
    subcommands: {
      alias: { asks: "glab alias changes what glab runs." },
      config: { asks: "glab config changes what glab runs." },
      auth: { asks: "glab auth shows credentials." },
    },
  },
  websocat: { asks: "websocat connects anything with anything and can run programs." },
  nc: { asks: "nc moves arbitrary data over the network." },
  ncat: { asks: "ncat moves arbitrary data over the network and can run programs." },
  netcat: { asks: "netcat moves arbitrary data over the network." },
  socat: { asks: "socat connects anything with anything and can run programs." },
  telnet: { asks: "telnet opens a raw connection." },
  ftp: { asks: "ftp moves files over the network." },
  openssl: {
    options: "anywhere",
    operands: "unknown",
    singleDash: true,
    reads: "-in -inkey -cert -CAfile -CApath -key -certfile -kfile",
    writes: "-out -keyout -writerand",
    runs: "-WWW -HTTP -www -accept -port -engine -provider -provider-path -config -conf -extfile -proxy -connect",
    edits: "-out -keyout",
  },
  gpg: { asks: "gpg uses keys and writes what it unpacks." },
  ping: { operands: "none", valued: "-c -i -W -w -s -t -I" },
  nslookup: { operands: "none" },
  dig: { operands: "none", reads: "-f -k" },
  host: { operands: "none" },
  hg: {
    options: "anywhere",
    operands: "unknown",
    runs: "--config --cwd -R --repository --debugger --tool -t -e --ssh --remotecmd --config-file",
    reads: "--style",
    valued: "-T --template -r --rev -l --limit -b --branch -u --user -d --date -m --message",
  },
  svn: {
    options: "anywhere",
    operands: "unknown",
    runs: "--config-option --config-dir --diff-cmd --diff3-cmd --editor-cmd",
    reads: "-F --file --targets",
    valued: "-r --revision -m --message -l --limit --depth",
  },
  jj: {
    operands: "unknown",
    runs: "--config --config-toml --config-file -R --repository --tool --editor",
    valued: "-r --revisions -m --message -T --template -n --limit",
    subcommands: {
      util: { asks: "jj util can run programs." },
      config: { asks: "jj config changes what jj runs." },
    },
  },
  gh: { judge: "gh", operands: "none", runs: "" },
  aws: {
    operands: "unknown",
    runs: "--endpoint-url --ca-bundle --cli-input-json --cli-input-yaml",
    subcommands: {
      configure: { asks: "aws configure changes credentials and the programs that fetch them." },
      s3: {
        operands: "none",
        subcommands: {
          ls: { operands: "none" },
          cp: { operands: "copy", spelled: "aws s3 cp moves files to and from buckets." },
          mv: { operands: "move", spelled: "aws s3 mv moves files to and from buckets." },
          sync: {
            operands: "copy",
            recursive: "always",
            spelled: "aws s3 sync moves files to and from buckets.",
          },
        },
      },
    },
  },
  gcloud: {
    operands: "unknown",
    runs: "--configuration --flags-file",
    subcommands: {
      config: { spelled: "gcloud config changes where commands go.", operands: "none" },
      auth: { asks: "gcloud auth shows credentials." },
      compute: {
        operands: "unknown",
        subcommands: {
          ssh: { asks: "gcloud compute ssh runs commands elsewhere." },
          scp: { asks: "gcloud compute scp moves files." },
          "start-iap-tunnel": { asks: "gcloud compute opens a way through." },
        },
      },
    },
  },
  http: {
    operands: "none",
    judge: "url-operands",
    makes: "-o --output",
    writes: "--session --session-read-only",
    runs: "--proxy --plugins",
    valued: "-a --auth --auth-type",
  },
};

/** All of them send their words to other machines. */
export const networkCommands: Record<string, CommandSpec> = Object.fromEntries(
  Object.entries(commands).map(([name, spec]) => [name, { ...spec, sends: true as const }]),
);
