#!/bin/bash
# Builds the image of build/selfhost and runs it, without a container engine and without a registry of images: buildah with
# chroot isolation, on two bases made by debootstrap, Debian, and Debian with Node. As root, with buildah, debootstrap, Node
# and npm; it takes some minutes. MADE is a folder that debootstrap has filled before.
#
#     cargo xtask build selfhost && tests/selfhost/image.sh [MADE]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
options=(--root "$work/store" --runroot "$work/run")
trap 'rm -rf "$work"' EXIT

base() {
  container=$(buildah "${options[@]}" from scratch)
  buildah "${options[@]}" add --quiet "$container" "$1" / >/dev/null
  buildah "${options[@]}" commit --quiet "$container" "$2" >/dev/null
  buildah "${options[@]}" rm "$container" >/dev/null
}
if [ -n "${1:-}" ]; then
  cp -a "$1" "$work/base"
else
  debootstrap --variant=minbase bookworm "$work/base" >"$work/log" || { tail -5 "$work/log"; exit 1; }
fi
base "$work/base" docker.io/library/debian:bookworm-slim
# The Node of this machine, which runs there too, and what npm needs to reach its registry from here.
node=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
mkdir -p "$work/base/usr/local/bin" "$work/base/usr/local/lib/node_modules" "$work/base/etc/ssl"
cp "$node/bin/node" "$work/base/usr/local/bin/"
npm=$(readlink -f "$(command -v npm)")
cp -r "$(dirname "$(dirname "$npm")")" "$work/base/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
cp -rL /etc/ssl/certs "$work/base/etc/ssl/"
if [ -r "${NODE_EXTRA_CA_CERTS:-}" ]; then
  mkdir -p "$work/base/usr/local/etc"
  cp "$NODE_EXTRA_CA_CERTS" "$work/base/usr/local/etc/authorities.pem"
  echo 'cafile=/usr/local/etc/authorities.pem' >"$work/base/usr/local/etc/npmrc"
fi
base "$work/base" docker.io/library/node:22-bookworm-slim

# The last of the children of a process: the one that an engine would send signals to.
last() {
  local pid=$1 child
  while child=$(pgrep -P "$pid" | head -1) && [ -n "$child" ]; do pid=$child; done
  echo "$pid"
}

buildah "${options[@]}" build --pull=never --format docker --tag toponym --file "$root/build/selfhost/Containerfile" "$root/build/selfhost"

echo "what the image says of itself:"
buildah "${options[@]}" inspect --type image --format '{{with .Docker.Config}}user {{.User}}, {{.StopSignal}}, {{.Entrypoint}}, volumes {{.Volumes}}, health {{.Healthcheck}}{{end}}' toponym
echo

# Runs it as an engine would: its user, its environment, its entry point, in its file system.
container=$(buildah "${options[@]}" from --pull=never toponym)
"$root/build/selfhost/new-secrets.sh" "$work/toponym.env"
variables=()
while IFS= read -r line; do case $line in [A-Z]*) variables+=(--env "$line") ;; esac; done <"$work/toponym.env"
buildah "${options[@]}" run "${variables[@]}" --env TOPONYM_LISTEN=127.0.0.1:8799 "$container" -- /opt/toponym/start.sh &
service=$!
for _ in $(seq 120); do
  buildah "${options[@]}" run --env TOPONYM_LISTEN=127.0.0.1:8799 "$container" -- /opt/toponym/health.sh 2>/dev/null && healthy=yes && break
  sleep 1
done
[ "${healthy:-}" = yes ] || { echo "the container did not become healthy"; exit 1; }
echo "healthy; runs as user $(ps -o uid= -p "$(last "$service")")"
curl -sSf http://127.0.0.1:8799/attribution | head -c 100; echo
kill -TERM "$(last "$service")"
wait "$service" && echo "stopped in order"
