#!/bin/bash
# Says whether the service works: exits with 0 if /health answers 200, else with 1 and what it answered. It needs nothing
# but bash, so that the container needs no HTTP client.
#
#     health.sh [HOST:PORT]     [TOPONYM_LISTEN, or 127.0.0.1:8787]
set -u
# Seconds; the service itself gives up after less.
readonly PATIENCE=5
address=${1:-${TOPONYM_LISTEN:-127.0.0.1:8787}}
port=${address##*:}
host=${address%:*}
# The address that means all of them is none to connect to.
case $host in '*' | 0.0.0.0 | '[::]') host=127.0.0.1 ;; esac

ask() {
  exec 3<>"/dev/tcp/${host//[\[\]]/}/$port" || exit 1
  # The name of this machine is exempt from HTTPS.
  printf 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
  cat <&3
}
export -f ask
export host port
answer=$(timeout "$PATIENCE" bash -c ask 2>&1) || {
  echo "no answer from $address within $PATIENCE s: ${answer:-nothing}" >&2
  exit 1
}
case $answer in
  'HTTP/1.1 200 '*) ;;
  *)
    echo "${answer##*$'\r\n\r\n'}" >&2
    exit 1
    ;;
esac
