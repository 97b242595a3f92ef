#!/usr/bin/env python3
"""Sends a minute of a run, all of it at once, to `coach serve` and prints the cues: send.py URL TOKEN-FILE. Only Python's own library."""
import datetime, json, sys, urllib.error, urllib.request, uuid

url, token = sys.argv[1].rstrip("/"), open(sys.argv[2]).read().strip()


def post(path, body, kind="application/json", **headers):
    global url
    headers |= {"Authorization": f"Bearer {token}", "Content-Type": kind}
    try:
        with urllib.request.urlopen(urllib.request.Request(url + path, body.encode(), headers), timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code != 421: raise
        url = error.headers["Location"].removesuffix(path)  # of several instances another one has the session
    return post(path, body, kind, **headers)


order = {"profile": {"ageYears": 30}, "target": "z2", "strategy": {"kind": "period", "every": 20, "window": 20}}
session = post("/v1/sessions", json.dumps(order), **{"Idempotency-Key": str(uuid.uuid4())})["sessionID"]
start = datetime.datetime.now(datetime.timezone.utc)
for batch in range(6):  # ten seconds each; a batch that is sent again counts once
    times = [(start + datetime.timedelta(seconds=10 * batch + second)).isoformat() for second in range(10)]
    lines = [json.dumps({"type": "heartRate", "time": at, "beatsPerMinute": 100 + 5 * batch}) for at in times]
    taken = post(f"/v1/sessions/{session}/samples?batch={batch}", "\n".join(lines), "application/x-ndjson")
    for event in taken["events"]: print(json.dumps(event))
print(json.dumps(post(f"/v1/sessions/{session}/commands", json.dumps({"id": "1", "command": "stop"}))))
