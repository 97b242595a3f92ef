"""Who reads the events of live sessions through the proxy while accidents happen, and comes back with the last id that was seen."""

import asyncio
import json

QUIET = 20  # seconds without a byte after which a reader comes back: a comment comes each 15


class Reader:
    """A reader of one session: the records that it was given, in the order in which they came."""

    def __init__(self, session):
        self.session = session
        self.numbers, self.lines = [], []
        self.connections = 0
        self.is_over = False

    async def run(self, port):
        """Reads until the session is over, again and again."""
        while self.session.id is None:
            await asyncio.sleep(0.1)
        while not self.is_over:
            try:
                await self.connect(port)
            except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError, ValueError, IndexError):
                pass
            if not self.is_over:
                await asyncio.sleep(0.2)

    async def connect(self, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            last = f"Last-Event-ID: {self.numbers[-1]}\r\n" if self.numbers else ""
            writer.write(
                f"GET /v1/sessions/{self.session.id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
                f"Authorization: Bearer {self.session.token}\r\n{last}\r\n".encode())
            head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), QUIET)).decode("latin-1").lower()
            status = head.split(" ")[1]
            # The session is over, and everything was there before.
            if status == "204":
                self.is_over = True
            if status != "200":
                return
            self.connections += 1
            is_chunked, waiting = "transfer-encoding: chunked" in head, b""
            while True:
                if is_chunked:
                    size = int(await asyncio.wait_for(reader.readline(), QUIET), 16)
                    piece = (await asyncio.wait_for(reader.readexactly(size + 2), QUIET))[:-2]
                else:
                    piece = await asyncio.wait_for(reader.read(65536), QUIET)
                waiting += piece
                # What comes whole is taken: the rest of an event that is cut off comes again.
                *events, waiting = waiting.split(b"\n\n")
                for event in events:
                    self.take(event.decode())
                if not piece or self.is_over:
                    return
        finally:
            writer.close()

    def take(self, event):
        if event == ": the session is over":
            self.is_over = True
        fields = dict(line.split(": ", 1) for line in event.split("\n") if not line.startswith(":") and ": " in line)
        if "id" in fields:
            self.numbers.append(int(fields["id"]))
            self.lines.append(fields["data"])

    def is_right(self, place):
        """Whether it was given each record of the folder of its session once, in its order."""
        with open(place + "/decisions.jsonl") as file:
            kept = [json.loads(line) for line in file]
        return self.numbers == list(range(1, len(kept) + 1)) and [json.loads(line) for line in self.lines] == kept


class Readers:
    """Readers of some sessions of a run."""

    def __init__(self, count):
        self.count, self.all, self.tasks = count, [], []

    def begin(self, sessions, port):
        self.all = [Reader(session) for session in sessions[:self.count]]
        self.tasks = [asyncio.create_task(reader.run(port)) for reader in self.all]

    async def end(self):
        """Waits for those whose sessions are over; one that never ends is reported with what it lacks."""
        if self.tasks:
            _, waiting = await asyncio.wait(self.tasks, timeout=60)
            for task in waiting:
                task.cancel()

    def wrong(self, data):
        return sum(not reader.is_right(f"{data}/sessions/{reader.session.id}") for reader in self.all)

    @property
    def comebacks(self):
        return sum(max(0, reader.connections - 1) for reader in self.all)
