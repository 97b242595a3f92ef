#!/usr/bin/env python3
"""A policy for `--strategy exec:./moment.py` and `--arm exec:./moment.py`: the strategy `moment` of coach, once more.

    coach study --age 23 --arm moment:every=120 --arm "exec:./moment.py"

`moment.py SECONDS` asks to be asked every so many seconds, 120 without. The protocol is described in docs/policies.md. What
a policy says of a runner may depend on the hello and on the lines about that runner alone, so a Runner is kept for each.
"""
import json
import sys


class Runner:
    """What is known of one runner. A policy of your own remembers here what it needs."""

    def __init__(self, start):
        self.seed = start["seed"]  # for random numbers, such as random.Random(start["seed"])
        self.heart_rates = []  # (second, beats per minute or None when there is none)

    def hear(self, line):
        self.heart_rates.append((line["atSeconds"], line["beatsPerMinute"]))

    def answer(self, question):
        """One of speedUp, hold, slowDown and silence."""
        # The same as comparing heartRateBPM with targetLowerBPM and targetUpperBPM, for any quantity.
        return {"under": "speedUp", "inside": "hold", "over": "slowDown"}[question["side"]]


def send(record):
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


def main():
    every = float(sys.argv[1]) if len(sys.argv) > 1 else 120
    runners = {}
    for text in sys.stdin:
        line = json.loads(text)
        kind = line["type"]
        if kind == "hello":
            send({"type": "ready", "version": 1, "everySeconds": every, "name": "moment"})
        elif kind == "start":
            runners[line["runner"]] = Runner(line)
        elif kind == "heartRate":
            runners[line["runner"]].hear(line)
        elif kind == "question":
            say = runners[line["runner"]].answer(line)
            send({"type": "answer", "runner": line["runner"], "question": line["question"], "say": say})
        elif kind == "end":
            del runners[line["runner"]]
        # Lines of other types may come with a later minor change, and are left out.


if __name__ == "__main__":
    main()
