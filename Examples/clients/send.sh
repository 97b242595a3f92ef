#!/bin/sh
# Sends a minute of a run, all of it at once, to `coach serve` and prints the answers: send.sh URL TOKEN-FILE. Only curl, date and sed.
set -eu
url=${1%/} token=$2

post() { # PATH TYPE FILE; the token is in no command line
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$(cat "$token")" |
    curl --silent --show-error --max-time 30 --config - --header "Content-Type: $2" --data-binary @"$3" \
      --dump-header "$head" --output "$answer" --write-out '%{http_code}' "$url$1")
  case $status in
  2*) cat "$answer" ;;
  421) # Of several instances another one has the session: it is asked from now on.
    location=$(sed -n 's/^[Ll]ocation: *\([^[:space:]]*\).*/\1/p' "$head")
    url=${location%"$1"} && post "$@" ;;
  *) cat "$answer" >&2 && return 22 ;;
  esac
}

body=$(mktemp) head=$(mktemp) answer=$(mktemp) && trap 'rm -f "$body" "$head" "$answer"' EXIT
echo '{"profile":{"ageYears":30},"target":"z2","strategy":{"kind":"period","every":20,"window":20}}' >"$body"
session=$(post /v1/sessions application/json "$body" | sed 's/.*"sessionID":"\([^"]*\)".*/\1/')
start=$(date +%s)
for second in $(seq 0 59); do
  printf '{"type":"heartRate","time":"%s","beatsPerMinute":%s}\n' "$(date -u -d "@$((start + second))" +%FT%TZ)" $((100 + second / 2))
done >"$body"
post "/v1/sessions/$session/samples?batch=1" application/x-ndjson "$body"
echo '{"id":"1","command":"stop"}' >"$body" && post "/v1/sessions/$session/commands" application/json "$body"
