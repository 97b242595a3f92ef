"""Rounds of accidents that are drawn from a seed: each has sessions of its own, of which everything is looked at before the next one."""

import asyncio
import email.utils
import random
import signal
import time

from machines import Database, Fleet, SmallDisk, WrongClock, fail, folder
from relay import LOSSES, Relay
from sessions import PER_TOKEN, Found, send_all

KINDS = ["kill", "stop", "database", "commit", "clock", "tables full", "log full"]


class Rounds:
    def __init__(self, count, seed, sessions, seconds):
        self.seed, self.sessions, self.seconds = seed, sessions, seconds
        self.disks = [SmallDisk("tables", 200), SmallDisk("log", 100)]
        kinds = KINDS if all(disk.is_small for disk in self.disks) else KINDS[:-2]
        if kinds != KINDS:
            print("fleet: no disk can be made small here, which root can: a full disk is not tried")
        # Each kind has its turn before one comes again; one round of three has a second accident.
        draw, deck = random.Random(seed), []
        self.plan = []
        for number in range(1, count + 1):
            if not deck:
                deck = draw.sample(kinds, len(kinds))
            drawn = [deck.pop()] + ([draw.choice(kinds)] if draw.random() < 1 / 3 else [])
            self.plan.append((number, [(kind, random.Random(f"{seed}.{number}.{place}")) for place, kind in enumerate(drawn)]))
        self.database = Database("rounds-database", self.disks)
        self.relay = Relay(folder + "/relay", self.database.folder)
        self.clocks = [WrongClock(f"rounds-{number}") for number in range(2)]
        self.fleet = Fleet("rounds", self.database, self.database.url_at(self.relay.folder), self.clocks)
        self.fleet.make_tokens(-(-sessions // PER_TOKEN))

    def run(self, only=None):
        """Whether all rounds were right."""
        wrong = []
        for number, accidents in self.plan:
            if only is None or number == only:
                if not asyncio.run(self.round(number, accidents)):
                    wrong.append(number)
        if wrong:
            print(f"fleet: wrong rounds of seed {self.seed}: {', '.join(map(str, wrong))}; one alone: SEED={self.seed} ROUND={wrong[0]}")
        return not wrong

    async def round(self, number, accidents):
        # What happens to one machine comes after what happens to it already.
        locks = {name: asyncio.Lock() for name in ["database", 0, 1]}
        words = [""] * len(accidents)

        async def happen(place, kind, draw):
            await asyncio.sleep(draw.uniform(0.15, 0.6) * self.seconds)
            words[place] = await self.accident(kind, draw, locks)

        async def all_happen():
            await asyncio.gather(*(happen(place, kind, draw) for place, (kind, draw) in enumerate(accidents)))

        try:
            sessions, silences, _ = await send_all(self.fleet, self.sessions, self.seconds, all_happen)
        except RuntimeError as error:
            # Its sessions rest, and count against the limits of their tokens.
            self.fleet.tokens = []
            self.fleet.make_tokens(-(-self.sessions // PER_TOKEN))
            print(f"fleet: round {number}: {' and '.join(kind for kind, _ in accidents)}: {error}", flush=True)
            return False
        found = await asyncio.to_thread(Found, self.fleet, sessions)
        longest = max((length for _, length in silences), default=0)
        print(
            f"fleet: round {number}: {' and '.join(words)}: lines answered {found.answered}, lost {found.lost},"
            f" doubled {found.doubled}, decisions {found.decisions}, sessions unlike their replay {found.differing}, unlike at the"
            f" two instances {found.unlike}, longest silence {longest:.1f} s, sent again after {found.again()}", flush=True)
        return found.is_right and found.answered == self.sessions * self.seconds

    async def accident(self, kind, draw, locks):
        """Has something happen, and waits until it is over; what it was."""
        place = draw.randrange(2)
        instance = self.fleet.instances[place]
        away = draw.uniform(0.5, 5)
        if kind in ("kill", "stop", "clock"):
            async with locks[place]:
                if kind == "kill":
                    await asyncio.to_thread(instance.kill)
                    await asyncio.sleep(away)
                    await asyncio.to_thread(instance.start)
                    return f"an instance killed, back after {away:.1f} s"
                if kind == "stop":
                    instance.process.send_signal(signal.SIGSTOP)
                    await asyncio.sleep(10)
                    instance.process.send_signal(signal.SIGCONT)
                    return "an instance stopped for 10 s"
                return await self.clock(place, draw.choice([-3600, 3600]), away + 5)
        if kind == "commit":
            kinds = [draw.choice(LOSSES) for _ in range(draw.randint(2, 6))]
            before = self.relay.losses
            self.relay.lose(kinds)
            end = time.monotonic() + 60
            while self.relay.losses < before + len(kinds):
                if time.monotonic() > end:
                    fail("no connection was lost in an append")
                await asyncio.sleep(0.05)
            return f"the connection lost in {len(kinds)} appends ({', '.join(kinds)})"
        async with locks["database"]:
            if kind == "database":
                how = draw.choice([signal.SIGINT, signal.SIGQUIT])
                await asyncio.to_thread(self.database.stop, how)
                await asyncio.sleep(away)
                await asyncio.to_thread(self.database.start)
                return f"the database {'stopped' if how == signal.SIGINT else 'killed'} for {away:.1f} s"
            return await self.full(kind, away)

    async def clock(self, place, offset, seconds):
        """The clock of an instance jumps, and later jumps back."""
        instance = self.fleet.instances[place]

        def error():
            # By what the instance says of the time itself.
            date = instance.get("/v1/sessions?limit=1", self.fleet.tokens[0])[0]["Date"]
            return email.utils.parsedate_to_datetime(date).timestamp() - time.time()

        self.clocks[place].set(offset)
        await asyncio.sleep(seconds)
        found = await asyncio.to_thread(error)
        self.clocks[place].set(0)
        if abs(found - offset) > 30:
            fail(f"the clock of an instance is wrong by {found:.0f} s: expected {offset}")
        return f"the clock of an instance wrong by {offset} s for {seconds:.1f} s"

    async def full(self, kind, seconds):
        """A disk of the database is full until something could not be written, and for some seconds more."""
        disk = self.disks[KINDS.index(kind) - len(KINDS) + 2]
        before = self.database.errors("No space left on device")
        await asyncio.to_thread(disk.fill)
        begin = time.monotonic()
        if kind == "log full":
            # Somebody else of the server writes more than what it has room for.
            await asyncio.to_thread(self.database.try_to_run, "SELECT pg_logical_emit_message(false, '', repeat('x', 20000000))")
        while self.database.errors("No space left on device") == before:
            if time.monotonic() > begin + 40:
                fail(f"{kind}: the database wrote for 40 s without an error")
            await asyncio.sleep(0.1)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(disk.free)
        # Without its log the server gives up; its owner starts it when there is room again.
        await asyncio.to_thread(self.database.start_if_it_ended)
        return f"the disk of the {kind[:-5]} full for {time.monotonic() - begin:.1f} s"
