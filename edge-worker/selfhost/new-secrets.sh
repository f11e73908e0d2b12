#!/bin/sh
# Writes a file with new secrets, readable only by its owner: `new-secrets.sh FILE`. It never overwrites one.
#
# systemd (EnvironmentFile), containers (--env-file) and start.sh all read this format: a NAME=value a line, without quotes.
set -eu
file=${1:-}
[ -n "$file" ] || { echo "usage: $0 FILE" >&2; exit 64; }
[ ! -e "$file" ] || { echo "$file exists, and its secrets may be in use: give another name, or move it away" >&2; exit 1; }

# 32 bytes: the output size of HMAC-SHA256.
key() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
ring() { printf '{"active":"k1","keys":{"k1":"%s"}}' "$(key)"; }
text() { head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'; }

umask 077
cat >"$file" <<END
# Secrets of this service. Keep a copy in a safe place: without the pepper no API secret matches any more.
TOPONYM_SIGNING_KEYS=$(ring)
TOPONYM_PEPPER=$(ring)
TOPONYM_KEY_MARK=$(text)
TOPONYM_ADMIN_SECRET=$(text)

# The reverse proxies that may say for whom they ask, as addresses or networks. Only these are believed; nobody if empty.
TRUSTED_PROXIES=127.0.0.1 ::1
END
echo "wrote $file"
