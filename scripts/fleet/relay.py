"""Stands between the instances and their database, and loses a connection where it hurts most: while a log is written."""

import asyncio
import os
import socket
import threading

# What can be lost of an append: the half of it that the server has not got yet; its answer, when it is committed; or the connection of
# whoever asked, while the server is at it.
LOSSES = ["request", "answer", "asker"]


class Relay:
    def __init__(self, folder, server):
        self.folder, self.server = folder, server + "/.s.PGSQL.5432"
        self.losses, self.next = 0, []
        os.mkdir(folder)
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self.run, args=(ready,), daemon=True).start()
        ready.wait()

    def run(self, ready):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(asyncio.start_unix_server(self.relay, self.folder + "/.s.PGSQL.5432"))
        ready.set()
        self.loop.run_forever()

    def lose(self, kinds):
        """What becomes of the next appends, one after another."""
        self.loop.call_soon_threadsafe(self.next.extend, kinds)

    async def relay(self, reader, writer):
        lost = {}
        server_writer = None
        try:
            server_reader, server_writer = await asyncio.open_unix_connection(self.server)
            ways = [
                asyncio.create_task(self.requests(reader, writer, server_writer, lost)),
                asyncio.create_task(self.answers(server_reader, writer, lost))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            if lost.get("kind") == "asker":
                # The server goes on with what nobody waits for.
                await asyncio.wait([ways[1]], timeout=30)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        except OSError:
            pass
        finally:
            for end in [writer, server_writer]:
                if end:
                    end.close()

    async def requests(self, reader, writer, server_writer, lost):
        while data := await reader.read(1 << 16):
            if b"append_log" in data and self.next:
                lost["kind"] = self.next.pop(0)
                self.losses += 1
                if lost["kind"] == "request":
                    server_writer.write(data[:len(data) // 2])
                    await server_writer.drain()
                    return
                if lost["kind"] == "asker":
                    server_writer.write(data)
                    await server_writer.drain()
                    # What has come already belongs to it.
                    try:
                        while more := await asyncio.wait_for(reader.read(1 << 16), 0.005):
                            server_writer.write(more)
                            await server_writer.drain()
                    except asyncio.TimeoutError:
                        pass
                    writer.close()
                    return
            server_writer.write(data)
            await server_writer.drain()

    async def answers(self, server_reader, writer, lost):
        while data := await server_reader.read(1 << 16):
            if lost.get("kind"):
                return
            writer.write(data)
            await writer.drain()
