#!/bin/sh
# The whole way once, in a temporary folder: secrets, start, an API key, a token, a request, stop. It needs curl.
#
#     build/selfhost/example.sh [PORT]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
url=http://127.0.0.1:${1:-8787}
work=$(mktemp -d)
# Another service there would answer in the place of this one.
if curl -s -o /dev/null --max-time 5 "$url"; then
  echo "something answers at $url already: give another port, as in $0 8788" >&2
  exit 1
fi
trap 'kill "${service:-}" 2>/dev/null || true; rm -rf "$work"' EXIT

"$here/new-secrets.sh" "$work/toponym.env"
TOPONYM_ENV=$work/toponym.env TOPONYM_STATE=$work/state TOPONYM_LISTEN=${url#http://} "$here/start.sh" &
service=$!
# It starts within some seconds; on a busy machine, later.
for _ in $(seq 120); do
  "$here/health.sh" "${url#http://}" 2>/dev/null && break
  kill -0 "$service" || exit 1
  sleep 0.5
done

# The value of a name in flat JSON.
value() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

admin=$(sed -n 's/^TOPONYM_ADMIN_SECRET=//p' "$work/toponym.env")
key=$(curl -sSf "$url/admin/keys" -H "Authorization: Bearer $admin" -d '{"name":"Example","account":"a-1","plan":"free"}')
credentials="{\"apiKey\":\"$(echo "$key" | value apiKey)\",\"apiSecret\":\"$(echo "$key" | value apiSecret)\"}"
token=$(curl -sSf "$url/api-clients/token" -d "$credentials" | value token)
curl -sSf "$url/v1/geocoding/forward?query=Venezzia&limit=1" -H "Authorization: Bearer $token"
echo

kill "$service"
wait "$service"
echo "stopped in order"
