"""The six services as real processes on one home, with a clock that stands where a sitting wants it."""
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

SERVICES = ["alert-router", "batch-aggregator", "reward-dispatcher", "privacy-worker", "analytics-exporter", "ingest"]


def wait(what, seconds, condition):
    """Asks until `condition` holds; ends the program with `what` if it does not."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        result = condition()
        if result:
            return result
        time.sleep(0.05)
    raise SystemExit(f"make-home: waited {seconds} s for {what}")


def unused_ports(count):
    """The first of `count` neighbouring ports that nobody listens on."""
    while True:
        with contextlib.ExitStack() as stack:
            first = stack.enter_context(socket.socket())
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                for number in range(port + 1, port + count):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", number))
            except (OSError, OverflowError):
                continue
            return port


class Services:
    """Programs of one directory on one home."""

    def __init__(self, programs, home, **settings):
        self.programs, self.home, self.running = Path(programs).resolve(), Path(home).resolve(), {}
        port = unused_ports(24)
        self.ingest, self.exporter = port, port + 1
        self.admin = {name: port + 2 + place for place, name in enumerate(SERVICES)}
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("NKUL_")}
        self.environment |= {
            "NKUL_HOME": str(self.home), "NKUL_CLOCK": "recording", "NKUL_INGEST_HTTP": f"127.0.0.1:{self.ingest}",
            "NKUL_EXPORTER_HTTP": f"127.0.0.1:{self.exporter}", "NKUL_ALERTS_PORT": str(port + 10), **settings,
        }
        for name, number in self.admin.items():
            self.environment["NKUL_ADMIN_" + name.upper().replace("-", "_")] = f"127.0.0.1:{number}"

    def set_clock(self, now_ms):
        """The clocks of services that start from here on show `now_ms` now, and run as fast as life."""
        run = self.home / "run"
        run.mkdir(parents=True, exist_ok=True, mode=0o700)
        at = int(time.time() * 1000)
        (run / "clock.json").write_text(json.dumps({"now_ms": now_ms, "at_ms": at, "speed": 1}))
        (run / "clock.json").chmod(0o600)

    def start(self, *names):
        """Starts services, all unless some are named, and waits until they are ready."""
        for name in names or SERVICES:
            log = open(self.home.parent / f"{self.home.name}.{name}.log", "ab")
            self.running[name] = subprocess.Popen(
                [self.programs / f"nkul-{name}"], env=self.environment, stdout=log, stderr=log)
        for name in names or SERVICES:
            wait(f"{name} to be ready", 60, lambda: self.fetch("/readyz", self.admin[name])[0] == 200)

    def stop(self):
        """Ends all services as an operator does."""
        for process in self.running.values():
            process.send_signal(signal.SIGTERM)
        for name, process in self.running.items():
            if process.wait(30) != 0:
                raise SystemExit(f"make-home: nkul-{name} ended with {process.returncode}")
        self.running = {}

    def kill(self, name):
        """Ends one at once (SIGKILL)."""
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def nkul(self, *words):
        """What a program printed; it must end well. The first word may name another program than `nkul`."""
        program = words[0] if words[0].startswith("nkul-") else "nkul"
        command = [self.programs / program, *(words[1:] if program == words[0] else words)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"make-home: {' '.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def admin_json(self, *words):
        return json.loads(self.nkul("admin", *words, "--json"))

    def fetch(self, path, port, token=None, method="GET", body=None, kind="application/json", headers={}):
        """Status and body of an answer; status 0 if there is none."""
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", method=method, data=body)
        for name, value in headers.items():
            request.add_header(name, value)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        if body is not None:
            request.add_header("Content-Type", kind)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 0, b""

    def metric(self, name, service):
        """A figure of a service without labels, or None."""
        text = self.fetch("/metrics", self.admin[service])[1].decode()
        found = re.search(rf"^{name} (\S+)$", text, re.M)
        return float(found[1]) if found else None

    def settle(self):
        """Waits until every reader has what was written, all rows are in cells, and nothing more comes of it."""
        def positions():
            readers = self.admin_json("reader", "list")
            is_folded = self.metric("nkul_aggregator_waiting_blocks", "batch-aggregator") == 0
            if not is_folded or any(reader["committed"] < reader["head"] for reader in readers):
                return None
            return sorted((reader["lane"], reader["reader"], reader["head"]) for reader in readers)

        def is_still():
            before = positions()
            time.sleep(1.2)
            return before is not None and before == positions()
        wait("the services to be done", 120, is_still)
