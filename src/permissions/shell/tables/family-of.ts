// Programs under all their names: a rule that refuses one of them means the others too.
import { isKnownCommand, listedName, withoutVersion } from "./commands.ts";

/** One line is one program, under each of its names. */
const families = `
sh bash dash zsh ksh
grep egrep fgrep rgrep
awk gawk mawk nawk
vi vim nvim
. source
[ test
nc ncat netcat
node nodejs
sed gsed
tar gtar bsdtar
docker podman nerdctl
pip pip3
terraform tofu
kubectl oc k kubecolor
mysql mariadb
gradle gradlew
mvn mvnw
flyctl fly
git hub
rename prename file-rename perl-rename
apt-get apt aptitude
shutdown poweroff halt reboot`;
const firstNames: ReadonlyMap<string, string> = new Map(
  families
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .flatMap((names) => names.map((name) => [name, names[0]!] as const)),
);

/** The name under which a binary and its other names are one. */
export function familyOf(name: string): string {
  const plain = listedName(name);
  const bare = plain === name && !isKnownCommand(name) ? withoutVersion(name) : plain;
  return firstNames.get(bare) ?? bare.replace(/^mkfs\..*$/, "mkfs");
}
