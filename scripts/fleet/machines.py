"""What a fleet is made of: a PostgreSQL, instances of coach and nginx, all of this run alone, in one temporary folder on the loopback."""

import glob
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COACH = os.path.abspath(os.environ.get("COACH", ROOT + "/.build/release/coach"))

folder = tempfile.mkdtemp(prefix="coach-fleet.")
processes = []
mounts = []


def fail(text):
    print(f"test-fleet: {text}", file=sys.stderr)
    for name in sorted(glob.glob(folder + "/*.log")):
        with open(name, errors="replace") as log:
            for line in log.read().splitlines()[-5:]:
                print(f"{os.path.basename(name)}: {line}", file=sys.stderr)
    sys.exit(1)


def free_port():
    """A port that nobody has, below those that the system gives to outgoing connections, of which one could have it a moment later."""
    while True:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", random.randrange(20_000, 32_000)))
                return probe.getsockname()[1]
            except OSError:
                pass


def start(name, arguments, **more):
    log = open(f"{folder}/{name}.log", "a")
    process = subprocess.Popen(arguments, stdout=log, stderr=log, stdin=subprocess.DEVNULL, **more)
    log.close()
    processes.append(process)
    return process


def wait_until(seconds, is_so, what):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            fail(what)
        time.sleep(0.05)


def end_all():
    """Ends what was started, the last one first, and removes the folder."""
    for process in reversed(processes):
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    for place in mounts:
        subprocess.run(["umount", "-l", place])
    if "KEEP" not in os.environ:
        shutil.rmtree(folder, ignore_errors=True)


class SmallDisk:
    """A disk that can be full: a tmpfs of some megabytes, which root alone can mount."""

    def __init__(self, name, megabytes):
        self.folder = f"{folder}/{name}"
        self.ballast = self.folder + "/ballast"
        os.mkdir(self.folder)
        options = f"size={megabytes}m,mode=700"
        if os.getuid() == 0:
            options += ",uid=postgres"
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", self.folder], capture_output=True)
        self.is_small = mounted.returncode == 0
        if self.is_small:
            mounts.append(self.folder)
        elif os.getuid() == 0:
            shutil.chown(self.folder, "postgres")

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def free(self):
        os.unlink(self.ballast)


class Database:
    """A PostgreSQL that waits for its disk. With small disks its tables are on one of them, and its write-ahead log on the other."""

    def __init__(self, name="database", disks=None):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        if not found:
            fail("no PostgreSQL here: expected the Debian package postgresql")
        self.binaries = os.path.dirname(found[-1])
        self.name, self.folder = name, f"{folder}/{name}"
        os.mkdir(self.folder)
        self.user, log_options, self.settings = [], [], []
        if os.getuid() == 0:  # the server refuses to run as root
            shutil.chown(self.folder, "postgres")
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        if disks:
            # The log asks for another megabyte often, and keeps few.
            log_options = ["-X", disks[1].folder + "/log", "--wal-segsize=1"]
            self.settings = ["-c", "max_wal_size=16MB", "-c", "min_wal_size=2MB"]
        subprocess.run(
            self.user + [self.binaries + "/initdb", "-D", self.folder + "/data", "-U", "coach", "-A", "trust", "-E", "UTF8"]
            + log_options, check=True, cwd=self.folder, stdout=subprocess.DEVNULL)
        self.start()
        place = ""
        if disks:
            os.mkdir(disks[0].folder + "/tables")
            if self.user:
                shutil.chown(disks[0].folder + "/tables", "postgres")
            self.run("postgres", f"CREATE TABLESPACE small LOCATION '{disks[0].folder}/tables'")
            place = " TABLESPACE small"
        self.run("postgres", "CREATE DATABASE fleet" + place)
        self.url = self.url_at(self.folder)

    def url_at(self, place):
        return "postgresql://coach@" + place.replace("/", "%2F") + "/fleet"

    def start(self):
        self.process = start(
            self.name,
            self.user + [self.binaries + "/postgres", "-D", self.folder + "/data", "-k", self.folder]
            + ["-c", "listen_addresses=", "-c", "max_connections=50"] + self.settings, cwd=self.folder)
        wait_until(60, self.is_ready, "PostgreSQL does not start")

    def is_ready(self):
        return subprocess.run([self.binaries + "/pg_isready", "-q", "-h", self.folder, "-U", "coach"]).returncode == 0

    def stop(self, how=signal.SIGINT):
        self.process.send_signal(how)
        self.process.wait()

    def start_if_it_ended(self):
        """Starts it again where it gave up; one that recovers by itself is waited for."""
        end = time.monotonic() + 60
        while not self.is_ready():
            if self.process.poll() is not None:
                self.start()
            elif time.monotonic() > end:
                fail("PostgreSQL does not recover")
            time.sleep(0.1)

    def errors(self, words):
        """How often its log has some words."""
        with open(f"{folder}/{self.name}.log", errors="replace") as log:
            return log.read().count(words)

    def try_to_run(self, sql):
        """Runs what may fail, or not be answered."""
        subprocess.run([self.binaries + "/psql", "-h", self.folder, "-U", "coach", "-c", sql, "postgres"], capture_output=True)

    def lock_changes(self, seconds):
        """Holds the lock of what the service changes (`SharedTables`), as who is in the middle of a change, until the process that this
        returns has an end of its input, or the server ends it after some seconds, where these are not 0."""
        process = subprocess.Popen(
            [self.binaries + "/psql", "-q", "-h", self.folder, "-U", "coach", "fleet"], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        processes.append(process)
        process.stdin.write(
            f"BEGIN; SET LOCAL idle_in_transaction_session_timeout = '{seconds}s'; SELECT pg_advisory_xact_lock(6071223003);\n")
        process.stdin.flush()
        return process

    def new_token(self, *words):
        """A token for everything; of somebody, where words of the command line say so."""
        made = subprocess.run(
            [COACH, "token", "create", "--scope", "send,watch,manage", "--database", self.url, *words], check=True,
            capture_output=True, text=True)
        return made.stdout.strip()

    def run(self, database, sql):
        done = subprocess.run(
            [self.binaries + "/psql", "-h", self.folder, "-U", "coach", "-tAc", sql, database], capture_output=True, text=True,
            cwd=self.folder)
        if done.returncode != 0:
            fail(f"psql: {done.stderr}")
        return done.stdout.strip()


class WrongClock:
    """A library that moves the wall clock of a program, while it runs, by the seconds that stand in a file."""

    SOURCE = r"""
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>
    static volatile const long *offset;
    __attribute__((constructor)) static void open_offset(void) {
      int file = open(getenv("CLOCK_OFFSET"), O_RDONLY);
      void *place = mmap(0, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
      if (place == MAP_FAILED) abort();
      close(file);
      offset = place;
    }
    int clock_gettime(clockid_t clock, struct timespec *now) {
      static int (*real)(clockid_t, struct timespec *);
      if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
      int result = real(clock, now);
      if (offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *offset;
      return result;
    }
    int gettimeofday(struct timeval *now, void *zone) {
      struct timespec time;
      clock_gettime(CLOCK_REALTIME, &time);
      now->tv_sec = time.tv_sec;
      now->tv_usec = time.tv_nsec / 1000;
      return 0;
    }
    time_t time(time_t *out) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      if (out) *out = now.tv_sec;
      return now.tv_sec;
    }
    """

    library = None

    def __init__(self, name):
        self.file = f"{folder}/{name}.clock"
        self.set(0)
        if WrongClock.library is None:
            with open(folder + "/clock.c", "w") as file:
                file.write(self.SOURCE)
            compiler = shutil.which("cc") or shutil.which("clang") or fail("no compiler of C here: expected cc or clang")
            subprocess.run(
                [compiler, "-shared", "-fPIC", "-O1", "-o", folder + "/clock.so", folder + "/clock.c", "-ldl"], check=True)
            WrongClock.library = folder + "/clock.so"
        self.environment = {"LD_PRELOAD": WrongClock.library, "CLOCK_OFFSET": self.file}

    def set(self, seconds):
        # In place: the file is mapped by whoever runs.
        with open(self.file, "r+b" if os.path.exists(self.file) else "wb") as file:
            file.write(struct.pack("l", seconds))


class Instance:
    def __init__(self, name, database_url, public, clock=None):
        self.name, self.database_url, self.public, self.port = name, database_url, public, free_port()
        self.clock = clock
        self.data = f"{folder}/{name}"
        self.start()

    def start(self):
        def run():
            return start(
                self.name,
                [COACH, "serve", "--database", self.database_url, "--listen", f"127.0.0.1:{self.port}", "--behind-proxy"]
                + ["--public-url", self.public, "--data-dir", self.data],
                env=os.environ | (self.clock.environment if self.clock else {}))

        def is_ready():
            # Without its database it ends, and is started again, as systemd does it.
            if self.process.poll() is not None:
                self.process = run()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5) as answer:
                    return answer.status == 200
            except OSError:
                return False

        self.process = run()
        wait_until(60, is_ready, "an instance does not become ready")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def get(self, path, token):
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(asked, timeout=300) as answer:
            return answer.headers, answer.read()


def start_proxy(name, port, instances):
    with open(ROOT + "/deploy/nginx-fleet.conf") as file:
        site = file.read()
    place = f"{folder}/{name}"
    os.mkdir(place)
    # Without TLS, which test-nginx tries: what is looked at here is who answers.
    site = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", site, flags=re.S)
    site = re.sub(r"\n    (listen \[::\]|ssl_|add_header).*", "", site)
    site = site.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};").replace("coach.example.org;", "127.0.0.1;")
    site = site.replace("/var/log/nginx/coach.log", place + "/access.log")
    for number, instance in enumerate(instances, 1):
        site = site.replace(f"10.0.0.{number}:8080", f"127.0.0.1:{instance.port}")
    temporary = "".join(f"{kind}_temp_path {place}/{kind};" for kind in ["fastcgi", "uwsgi", "scgi", "proxy"])
    with open(place + "/nginx.conf", "w") as file:
        file.write(
            f"pid {place}/nginx.pid; error_log {place}/nginx-error.log; daemon off; worker_processes 1;\n"
            "events { worker_connections 4096; }\n"
            f"http {{ client_body_temp_path {place}/body; {temporary}\n{site}\n}}\n")
    os.chmod(place, 0o755)
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    return start(name, [nginx, "-c", place + "/nginx.conf", "-p", place])


class Fleet:
    """Two instances on a database, with nginx in front; instances may reach the database by another way, and have clocks of their own."""

    def __init__(self, name, database, database_url=None, clocks=(None, None)):
        port = free_port()
        self.database, self.port = database, port
        self.instances = [
            Instance(f"{name}-{number}", database_url or database.url, f"http://127.0.0.1:{port}", clock)
            for number, clock in enumerate(clocks)]
        self.proxy = start_proxy(name + "-nginx", port, self.instances)
        self.tokens = []
        time.sleep(3)  # until each has half of the shards

    def make_tokens(self, count):
        """Tokens for the sessions to come, as many as are not there yet."""
        while len(self.tokens) < count:
            self.tokens.append(self.database.new_token())
