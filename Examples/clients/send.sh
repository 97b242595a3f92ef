#!/bin/sh
# Runs for a minute against `coach serve` and prints the answers: send.sh URL TOKEN-FILE. Only curl, date and sed.
set -eu
url=${1%/} token=$2

post() { # PATH TYPE, with the body on standard input; the token is in no command line
  { printf 'header = "Authorization: Bearer %s"\n' "$(cat "$token")"; } |
    curl --silent --show-error --fail-with-body --max-time 30 --config - --header "Content-Type: $2" --data-binary @"$3" "$url$1"
}

body=$(mktemp) && trap 'rm -f "$body"' EXIT
echo '{"profile":{"ageYears":30},"target":"z2","strategy":{"kind":"period","every":20,"window":20}}' >"$body"
session=$(post /v1/sessions application/json "$body" | sed 's/.*"sessionID":"\([^"]*\)".*/\1/')
start=$(date +%s)
for second in $(seq 0 59); do
  printf '{"type":"heartRate","time":"%s","beatsPerMinute":%s}\n' "$(date -u -d "@$((start + second))" +%FT%TZ)" $((100 + second / 2))
done >"$body"
post "/v1/sessions/$session/samples?batch=1" application/x-ndjson "$body"
echo '{"id":"1","command":"stop"}' >"$body" && post "/v1/sessions/$session/commands" application/json "$body"
