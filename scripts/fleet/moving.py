"""Terminals that send to an instance without a proxy in front (`coach live --server`), while a second instance takes half of the sessions."""

import glob
import os
import subprocess
import threading
import time

from machines import COACH, Database, Instance, folder, processes

TERMINALS = 8
SECONDS = 60


def run_terminals():
    """Whether each terminal printed what its session decided, at whichever instance."""
    database = Database("moving-database")
    instances = [Instance("moving-0", database.url, "http://127.0.0.1:1")]
    terminals = []
    for number in range(TERMINALS):
        place = f"{folder}/terminal-{number}"
        os.mkdir(place)
        with open(place + "/token", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(database.new_token())
        terminal = subprocess.Popen(
            [COACH, "live", "--server", f"http://127.0.0.1:{instances[0].port}", "--token-file", place + "/token"]
            + ["--source", "stdin", "--clock", "samples", "--age", "23", "--target", "z2", "--strategy", "moment:every=20"]
            + ["--format", "jsonl", "--data-dir", place + "/data"],
            stdin=subprocess.PIPE, stdout=open(place + "/printed", "w"), stderr=open(f"{place}.log", "w"), text=True)
        processes.append(terminal)
        terminals.append(terminal)

    def send(number, terminal):
        for second in range(SECONDS):
            rate = 112 + (second * (number % 5 + 1) + number * 7) % 36
            terminal.stdin.write(f'{{"type":"heartRate","atSeconds":{second},"beatsPerMinute":{rate}}}\n')
            terminal.stdin.flush()
            time.sleep(0.25)
        terminal.stdin.close()

    threads = [threading.Thread(target=send, args=pair) for pair in enumerate(terminals)]
    for thread in threads:
        thread.start()
    time.sleep(3)
    instances.append(Instance("moving-1", database.url, "http://127.0.0.1:1"))
    for thread in threads:
        thread.join()
    codes = [terminal.wait(60) for terminal in terminals]
    moved = {os.path.basename(name) for name in glob.glob(instances[1].data + "/sessions/*")}
    export = folder + "/moving-export"
    subprocess.run(
        [COACH, "history", "export", "--all", "--output", export, "--database", database.url], check=True, capture_output=True)
    kept = sorted(os.path.dirname(name) for name in glob.glob(export + "/**/decisions.jsonl", recursive=True))
    wrong = 0
    printed = []
    for number in range(TERMINALS):
        with open(f"{folder}/terminal-{number}/printed") as file:
            printed.append([line for line in file if '"type":"summary"' not in line and '"type":"acknowledgement"' not in line])
    for place in kept:
        with open(place + "/decisions.jsonl") as file:
            decided = [line for line in file if '"type":"acknowledgement"' not in line]
        with open(place + "/heart_rate.csv") as file:
            lines = len(file.read().splitlines()) - 1
        if decided not in printed or lines != SECONDS or not decided:
            wrong += 1
    print(
        f"fleet: {TERMINALS} terminals without a proxy, a second instance starts: {len(kept)} sessions kept, unlike what a terminal"
        f" printed {wrong}, at the second instance {len(moved)}, exit codes {sorted(set(codes))}", flush=True)
    return len(kept) == TERMINALS and wrong == 0 and len(moved) > 0 and set(codes) == {0}

