"""What else is asked through the proxy while an instance hangs or is gone: beginnings of sessions, and messages of apps to their keys."""

import asyncio
import http.client
import json
import subprocess
import threading
import time

from machines import COACH, folder

ASKED = 6  # of each kind, so that some of them come to the instance that hangs
HELD, KILLED, APPS = range(ASKED, 2 * ASKED), range(2 * ASKED, 3 * ASKED), 3 * ASKED
LONGEST = 8.0  # seconds in which each has its answer: the proxy gives up after 5, and the other instance answers
# The same for a message whose session the instance has that hangs: the proxy may get that answer, wait there for 5 s, and be given it again.
LONGEST_OF_HELD = 13.0
ORDER = json.dumps({"profile": {"ageYears": 23}, "target": "z2", "clock": "samples"})


class Asked:
    """Asks, and keeps how long each answer took and what it was."""

    def __init__(self, fleet):
        self.port = fleet.port
        # Of as many apps again the instance that hangs has the sessions, and of as many the one that is killed.
        self.tokens = [fleet.database.new_token("--person", f"app{number}") for number in range(APPS)]
        self.keys = []
        with open(folder + "/app.json", "w") as file:
            file.write(ORDER)
        for number in range(APPS):
            made = subprocess.run(
                [COACH, "key", "create", "--person", f"app{number}", "--request", folder + "/app.json",
                 "--database", fleet.database.url, "--format", "json"],
                check=True, capture_output=True, text=True)
            self.keys.append(json.loads(made.stdout)["key"])
        self.answers = {
            "begun with a name": [], "begun without": [], "sent by apps": [], "sent by apps whose sessions are there": [],
            "sent by apps whose instance was killed": []}

    def exchange(self, path, headers, body=None, method="POST", port=None):
        begin = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=120)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        return answer.status, time.monotonic() - begin, content

    def heads(self, number):
        """The headers of a request without a name, and of one with."""
        unnamed = {"Authorization": f"Bearer {self.tokens[number]}", "Content-Type": "application/json"}
        return unnamed, unnamed | {"Idempotency-Key": f"run-{number}"}

    def message(self, number):
        """What an app sends, the same bytes each time."""
        return self.position(number, self.killed_time if number in KILLED else self.time)

    def position(self, number, at):
        """What an app sends of where it was."""
        message = json.dumps({"_type": "location", "lat": 46.77, "lon": 23.6, "tst": at, "tid": "an"})
        return f"/v1/in/{self.keys[number]}", {"Content-Type": "application/json"}, message

    def begin_at(self, instance, numbers=HELD):
        """Has an instance have sessions of apps, by messages of a while ago."""
        for number in numbers:
            status, _, content = self.exchange(*self.position(number, int(time.time()) - 20), port=instance.port)
            if status != 200:
                print(f"fleet: app {number} cannot begin: {status} {content}", flush=True)

    def ask(self, number):
        begin, named = self.heads(number)
        for kind, path, headers, body in [
                ("begun with a name", "/v1/sessions", named, ORDER), ("begun without", "/v1/sessions", begin, ORDER),
                ("sent by apps", *self.message(number)),
                ("sent by apps whose sessions are there", *self.message(ASKED + number))]:
            thread = threading.Thread(
                target=lambda *words: self.answers[words[0]].append(self.exchange(*words[1:])), args=(kind, path, headers, body))
            thread.start()
            yield thread

    async def run(self):
        self.time = int(time.time())
        threads = [thread for number in range(ASKED) for thread in self.ask(number)]
        for thread in threads:
            await asyncio.to_thread(thread.join)

    def run_at_kill(self):
        """Sends for the apps whose instance is gone, before anybody has its sessions."""
        self.killed_time, kind = int(time.time()), "sent by apps whose instance was killed"
        threads = [
            threading.Thread(target=lambda number: self.answers[kind].append(self.exchange(*self.message(number))), args=(number,))
            for number in KILLED]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def begun_again(self):
        """Asks once more with the same names: the sessions that were begun, and no others."""
        return {
            json.loads(self.exchange("/v1/sessions", self.heads(number)[1], ORDER)[2]).get("sessionID")
            for number in range(ASKED)}

    @staticmethod
    def sent(number):
        """How many messages an app has sent."""
        return 1 if number < ASKED else 2

    def positions_of(self, number):
        """Has an app send its message once more, and says how many positions all of its sessions have then."""
        head, positions, seen = self.heads(number)[0], 0, []
        path, headers, message = self.message(number)
        again = self.exchange(path, headers, message)
        status, _, listed = self.exchange("/v1/sessions", head, method="GET")
        seen += [again, (status, listed)]
        for session in json.loads(listed).get("sessions", []):
            path = f"/v1/sessions/{session['sessionID']}"
            stop = json.dumps({"type": "command", "id": "stop", "command": "stop"})
            seen.append(self.exchange(path + "/commands", head, stop))
            # It is over a moment after the command is answered; one that has no sample is none then.
            for _ in range(50):
                track = self.exchange(path + "/export?as=gpx", head, method="GET")
                if track[0] not in (409, 502, 503):
                    break
                time.sleep(0.2)
            positions += track[2].count(b"<trkpt")
            seen.append(track)
        if again[0] != 200 or positions != self.sent(number):
            print(f"fleet: app {number}: {seen}", flush=True)
        return positions

    def look(self):
        """Prints what came of it; whether all was right."""
        isRight = True
        for kind, answers in self.answers.items():
            statuses = {}
            for status, _, _ in answers:
                statuses[status] = statuses.get(status, 0) + 1
            longest = max((length for _, length, _ in answers), default=0)
            counts = ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
            meanwhile = "" if kind.endswith("killed") else " while an instance hangs"
            print(f"fleet: {ASKED} {kind}{meanwhile}: {counts}; the longest took {longest:.1f} s", flush=True)
            bound = LONGEST_OF_HELD if kind.endswith("are there") else LONGEST
            isRight = isRight and len(answers) == ASKED and longest <= bound
            # An app takes most statuses for a delivery.
            isRight = isRight and (not kind.startswith("sent") or set(statuses) == {200})
        # Who has a name has an answer, and it is one session however often it is asked for.
        begun = {json.loads(content)["sessionID"] for status, _, content in self.answers["begun with a name"] if status == 201}
        positions = [self.positions_of(number) for number in range(APPS)]
        print(f"fleet: {len(begun)} sessions of as many names, positions of each app {positions}", flush=True)
        sent = [self.sent(number) for number in range(APPS)]
        return isRight and len(begun) == ASKED and begun == self.begun_again() and positions == sent
