"""Who sends for many sessions at once, again until each request is answered, and what has to hold of them afterwards."""

import asyncio
import json
import secrets
import subprocess
import time

from machines import COACH
from readers import Readers

STEP = 5  # seconds of a session in a request
LARGE = 600  # seconds of one that is old already in a request
PER_TOKEN = 3  # live sessions of a token
LIMIT = 30  # seconds for an answer, as the example clients wait: who gives up before is the proxy


class Connections:
    """Connections to the proxy that are used again."""

    def __init__(self, port):
        self.port, self.free = port, []

    async def send(self, method, path, token, body, kind, key=None):
        try:
            return await asyncio.wait_for(self.exchange(method, path, token, body, kind, key), LIMIT)
        except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError, ValueError, IndexError):
            return 0, b""

    async def exchange(self, method, path, token, body, kind, key):
        reader, writer = self.free.pop() if self.free else await asyncio.open_connection("127.0.0.1", self.port)
        isUsable = False
        try:
            head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
            head += f"Idempotency-Key: {key}\r\n" if key else ""
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n" if body else "\r\n"
            writer.write(head.encode() + body)
            lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
            status = int(lines[0].split(" ")[1])
            headers = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
            content = b""
            if headers.get("transfer-encoding") == "chunked":
                while size := int(await reader.readline(), 16):
                    content += (await reader.readexactly(size + 2))[:-2]
                await reader.readline()
            elif status != 204:
                content = await reader.readexactly(int(headers["content-length"]))
            isUsable = headers.get("connection") != "close"
            return status, content
        finally:
            if isUsable:
                self.free.append((reader, writer))
            else:
                writer.close()


class Session:
    def __init__(self, number, token, before=0):
        # What it is sent at once when it begins: a session that is old already.
        self.number, self.token, self.id, self.before = number, token, None, before
        self.key = secrets.token_hex(8)
        self.answered = 0
        self.refused = {}

    def line(self, second):
        # Each session crosses the limits of its target at times of its own.
        rate = 112 + (second * (self.number % 5 + 1) + self.number * 7) % 36
        return '{"type":"heartRate","atSeconds":%d,"beatsPerMinute":%d}\n' % (second, rate)

    async def until(self, connections, silences, status, method, path, body, kind="application/json", key=None):
        """Sends until it is answered, and notes how long that took."""
        begin = time.monotonic()
        while True:
            found, content = await connections.send(method, path, self.token, body.encode(), kind, key)
            if found == status:
                silences.append((begin, time.monotonic() - begin))
                return content
            self.refused[found] = self.refused.get(found, 0) + 1
            if found not in (0, 409, 421, 429, 500, 502, 503, 504) or time.monotonic() - begin > 60:
                raise RuntimeError(f"{method} {path}: {found} {content[:300]}")
            if found == 409 and path.endswith("/commands"):
                return content  # The answer to the first one was lost.
            await asyncio.sleep(0.2)

    async def send(self, connections, silences, identity, first, end):
        """Sends some seconds as one batch, until it is answered."""
        lines = "".join(self.line(second) for second in range(first, end))
        path = f"/v1/sessions/{identity}/samples?batch=b{first}"
        answer = await self.until(connections, silences, 200, "POST", path, lines, "application/x-ndjson")
        if json.loads(answer)["accepted"] != end - first:
            raise RuntimeError(f"{path}: {answer[:300]}")
        self.answered += end - first

    async def run(self, connections, seconds, phase, silences, started):
        order = {
            "profile": {"ageYears": 23}, "target": "z2", "strategy": {"kind": "moment", "every": 20}, "clock": "samples",
        }
        # On a busy machine an answer may come after it was given up: asked again, it has to be the same session.
        created = await self.until(
            connections, [], 201, "POST", "/v1/sessions", json.dumps(order), key=self.key)
        identity = json.loads(created)["sessionID"]
        for first in range(0, self.before, LARGE):
            await self.send(connections, [], identity, first, min(self.before, first + LARGE))
        self.id = identity
        await started.wait()
        begin = time.monotonic() + phase * STEP
        for first in range(0, seconds, STEP):
            await asyncio.sleep(max(0, begin + first - time.monotonic()))
            await self.send(connections, silences, self.id, self.before + first, self.before + first + STEP)
        stop = json.dumps({"type": "command", "id": "stop", "command": "stop"})
        await self.until(connections, [], 200, "POST", f"/v1/sessions/{self.id}/commands", stop)


async def send_all(fleet, count, seconds, accidents, begun=lambda: None, before=0, readers=Readers(0)):
    """Runs sessions to their ends while accidents happen; the sessions, how long answers took, and what `accidents` gives.

    Each is sent `before` seconds at once when it begins, and `readers` read the events of some of them."""
    connections, silences = Connections(fleet.port), []
    sessions = [Session(number, fleet.tokens[number // PER_TOKEN], before) for number in range(count)]
    readers.begin(sessions, fleet.port)
    started = asyncio.Event()
    # Requests are spread over the time between two of a session.
    spread = min(count, 100)
    tasks = [
        asyncio.create_task(session.run(connections, seconds, session.number % spread / spread, silences, started))
        for session in sessions]
    while any(session.id is None for session in sessions):
        for task in tasks:
            if task.done() and task.exception():
                raise task.exception()
        await asyncio.sleep(0.1)
    begun()
    started.set()
    happening = asyncio.create_task(accidents())
    results = await asyncio.gather(*tasks, return_exceptions=True)
    # Whatever became of the sessions: nothing stays stopped or full.
    log = await happening
    await readers.end()
    for result in results:
        if isinstance(result, Exception):
            raise result
    return sessions, silences, log


class Found:
    """What became of sessions that are over: lines that are lost and doubled, decisions, and how many sessions differ."""

    def __init__(self, fleet, sessions):
        # The history of either instance has all that ended.
        for instance in fleet.instances:
            instance.get("/v1/sessions", fleet.tokens[0])
        self.answered = sum(session.answered for session in sessions)
        self.lost = self.doubled = self.decisions = self.differing = 0
        for session in sessions:
            self.look(session, f"{fleet.instances[0].data}/sessions/{session.id}")
        self.unlike = sum(
            subprocess.run(["diff", "-rq"] + [f"{one.data}/sessions/{session.id}" for one in fleet.instances]).returncode
            != 0 for session in sessions)
        self.refused = {}
        for session in sessions:
            for status, count in session.refused.items():
                self.refused[status] = self.refused.get(status, 0) + count

    def look(self, session, place):
        with open(place + "/heart_rate.csv") as file:
            lines = file.read().splitlines()
        column = lines[0].split(",").index("at_s")
        counts = {}
        for line in lines[1:]:
            second = float(line.split(",")[column])
            counts[second] = counts.get(second, 0) + 1
        self.lost += sum(1 for second in range(session.answered) if second not in counts)
        self.doubled += sum(count - 1 for count in counts.values())
        with open(place + "/decisions.jsonl") as file:
            found = [line for line in file if '"type":"acknowledgement"' not in line]
        replay = subprocess.run([COACH, "replay", place, "--format", "jsonl"], capture_output=True, text=True)
        wanted = [line for line in replay.stdout.splitlines(True) if '"type":"summary"' not in line]
        self.decisions += len(found)
        self.differing += found != wanted or not found

    @property
    def is_right(self):
        return not (self.lost or self.doubled or self.differing or self.unlike) and self.answered > 0

    def again(self):
        return ", ".join(f"{code or 'none'}: {n}" for code, n in sorted(self.refused.items())) or "nothing"
