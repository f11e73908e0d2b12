#!/bin/sh
# Runs the service: workerd, in the foreground. SIGTERM lets the requests in flight end, then stops it.
#
# Variables, from the environment or from the file `toponym.env` beside this script:
#   TOPONYM_LISTEN   address and port [127.0.0.1:8787]
#   TOPONYM_STATE    folder of the API keys and their counts [the STATE_DIRECTORY of systemd, or state/ beside this script]
#   TOPONYM_ENV      another file of variables
# and those that new-secrets.sh writes. What is in the environment goes before what is in the file.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

stop() {
  echo "toponym: $1" >&2
  exit 78 # EX_CONFIG: systemd need not try again.
}

file=${TOPONYM_ENV:-$here/toponym.env}
if [ -r "$file" ]; then
  while IFS= read -r line || [ -n "$line" ]; do
    name=${line%%=*}
    case $line in
      '' | '#'*) ;;
      [A-Z]*=*) if eval "[ -z \"\${$name+set}\" ]"; then export "$line"; fi ;;
      *) stop "$file has a line that is no NAME=value: it starts with \"$(printf %.8s "$line")\"" ;;
    esac
  done <"$file"
elif [ -n "${TOPONYM_ENV:-}" ]; then
  stop "the file $file of TOPONYM_ENV cannot be read"
fi

for name in TOPONYM_SIGNING_KEYS TOPONYM_PEPPER; do
  eval "value=\${$name:-}"
  [ -n "$value" ] || stop "$name is not set: run \`$here/new-secrets.sh FILE\`, and give the file to systemd (EnvironmentFile), to the container (--env-file), or as TOPONYM_ENV"
done

# The Worker reads the proxies with its first request, and would fail each one. It takes the same addresses and networks.
octet='(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
four="$octet([.]$octet){3}"
group='[0-9a-fA-F]{1,4}'
six="($group:){7}$group|($group:){1,7}:|:(:$group){1,7}|::|::([fF]{4}:)?$four"
for before in 1 2 3 4 5 6; do six="$six|($group:){$before}(:$group){1,$((7 - before))}"; done
networks="^($four(/(3[0-2]|[12]?[0-9]))?|($six)(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?)\$"
set -f # No network is a pattern of files.
for network in $(printf %s "${TRUSTED_PROXIES:-}" | tr , ' '); do
  printf '%s\n' "$network" | grep -Eq "$networks" || stop "TRUSTED_PROXIES must be addresses or networks such as 127.0.0.1 or 10.0.0.0/8, not \"$network\""
done
set +f

state=${TOPONYM_STATE:-${STATE_DIRECTORY:-$here/state}}
mkdir -p "$state/objects" || stop "the folder $state cannot be made: set TOPONYM_STATE to one that $(id -un) may write"
[ -w "$state/objects" ] || stop "$(id -un) may not write $state/objects: change its owner, or set TOPONYM_STATE"

# Two processes on the same objects would both count, and each would overwrite the other's counts.
exec 9>"$state/lock"
flock --nonblock 9 || stop "another process serves the objects of $state: stop it first"

exec "$here/bin/workerd" serve "$here/toponym.capnp" \
  --socket-addr "http=${TOPONYM_LISTEN:-127.0.0.1:8787}" \
  --directory-path "objects=$state/objects" \
  --directory-path "site=$here/site"
