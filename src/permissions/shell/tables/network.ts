// Commands that talk to other machines.
import type { CommandSpec } from "./command-spec.ts";

export const networkCommands: Record<string, CommandSpec> = {
  curl: {
    judge: "curl",
    operands: "none",
    valued:
      "-X -H -A -e -u -m -w -r -y -Y -z -C -Q -P --request --header --user-agent --referer --user --max-time --connect-timeout --write-out --range --retry --retry-delay --retry-max-time --limit-rate --max-redirs --data-raw --json-raw --ciphers --tls-max --url-query --time-cond --continue-at --interface --local-port --max-filesize --speed-limit --speed-time --oauth2-bearer",
    reads: "-E --cert --key --cacert --capath --netrc-file --crlfile --pinnedpubkey",
    writes: "-o --output -D --dump-header -c --cookie-jar --output-dir --trace --trace-ascii --stderr --hsts --alt-svc --etag-save --libcurl",
    runs: "-K --config -x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --resolve --connect-to --unix-socket --abstract-unix-socket --doh-url --dns-servers --engine -: --next --proxy-header -U --proxy-user --proto --proto-default --url --variable --krb --ftp-account",
  },
  wget: {
    judge: "url-operands",
    operands: "none",
    valued: "-t -T -w -l -A -R -D -U -Q -e --tries --timeout --wait --level --accept --reject --domains --user-agent --header --quota --limit-rate --method --body-data --post-data --user --password --referer --max-redirect",
    reads: "-i --input-file --post-file --body-file --load-cookies --ca-certificate --ca-directory --certificate --private-key --crl-file",
    writes: "-O -P -o -a --output-document --directory-prefix --output-file --append-output --save-cookies --hsts-file --warc-file --rejected-log",
    runs: "--use-askpass --config -e --execute --proxy-user --base -B --unlink",
  },
  ssh: { operands: "none", valued: "-l -p -b -B -c -m -D -L -R -W -w -e -o -F -E -S -I -i -J -O", runs: "-o -F -E -S -I -i -J -O -D -L -R -W", strict: true },
  scp: { judge: "remote", operands: "copy", recursive: "-r", runs: "-o -F -S -i -J", valued: "-P -l -c" },
  sftp: { operands: "none", runs: "-o -F -S -i -J -b -D -s", valued: "-P -l -c" },
  nc: { asks: "nc moves arbitrary data over the network." },
  ncat: { asks: "ncat moves arbitrary data over the network and can run programs." },
  netcat: { asks: "netcat moves arbitrary data over the network." },
  socat: { asks: "socat connects anything with anything and can run programs." },
  telnet: { asks: "telnet opens a raw connection." },
  ftp: { asks: "ftp moves files over the network." },
  openssl: { operands: "unknown", singleDash: true, reads: "-in -inkey -cert -CAfile -CApath -key -certfile -kfile -passin", writes: "-out -keyout -writerand -passout", runs: "-engine -provider -provider-path -config -conf -extfile -proxy -connect", edits: "-out -keyout" },
  gpg: { operands: "unknown", writes: "-o --output --homedir", runs: "--exec-path --photo-viewer --pinentry-mode --options --agent-program --dirmngr-program --keyserver-options --decrypt-files" },
  ping: { operands: "none", valued: "-c -i -W -w -s -t -I" },
  nslookup: { operands: "none" },
  dig: { operands: "none", reads: "-f -k" },
  host: { operands: "none" },
  gh: { judge: "gh", operands: "none", runs: "" },
  aws: { operands: "unknown" },
  http: { operands: "none", judge: "url-operands", writes: "-o --output", runs: "--proxy --plugins", valued: "-a --auth --auth-type" },
};
