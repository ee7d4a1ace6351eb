"""Six services on a temporary home and unused ports of the loopback."""

import datetime
import json
import os
import pathlib
import random
import signal
import socket
import subprocess

SERVICES = ["INGEST", "ALERT_ROUTER", "BATCH_AGGREGATOR", "REWARD_DISPATCHER", "PRIVACY_WORKER", "ANALYTICS_EXPORTER"]

CAMEROON = datetime.timezone(datetime.timedelta(hours=1))


def unused_ports(count):
    """The first of so many neighbouring ports that nobody listens on, below those that systems give out themselves."""
    for _ in range(200):
        first = random.randrange(20_000, 30_000)
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
    raise RuntimeError("no unused ports")


class House:
    """`nkul up`, with clocks that follow a recording."""

    def __init__(self, programs, home):
        self.nkul = programs / "nkul"
        self.home, self.replay = home, None
        port = unused_ports(len(SERVICES) + 10)
        self.environment = (
            {key: value for key, value in os.environ.items() if not key.startswith("NKUL_")}
            | {
                "NKUL_HOME": str(home),
                "NKUL_CLOCK": "recording",
                "NKUL_EXPORTER_HTTP": f"127.0.0.1:{port}",
                "NKUL_INGEST_HTTP": f"127.0.0.1:{port + 1}",
                # Two for each of four tenants.
                "NKUL_ALERTS_PORT": str(port + 2 + len(SERVICES)),
                # The sample's phones enrol as it is played, and are few.
                "NKUL_RELEASES_K": "5",
                "NKUL_RELEASES_TRUST": "any",
            }
            | {f"NKUL_ADMIN_{service}": f"127.0.0.1:{port + 2 + index}" for index, service in enumerate(SERVICES)}
        )

    def __enter__(self):
        self.home.mkdir()
        self.log = open(self.home / "up.log", "w")
        self.up = subprocess.Popen(
            [self.nkul, "up", "--json"],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            start_new_session=True,
        )
        line = self.up.stdout.readline()
        if not line:
            self.up.wait()
            raise RuntimeError("nkul up did not start:\n" + (self.home / "up.log").read_text()[-4000:])
        ready = json.loads(line)
        self.url, self.pids = ready["dashboard"], ready["pids"]
        self.token = (self.home / "keys" / "regulator.token").read_text().strip()
        return self

    def __exit__(self, *_):
        if self.replay:
            self.replay.kill()
            self.replay.wait()
        self.up.send_signal(signal.SIGTERM)
        try:
            self.up.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(self.up.pid, signal.SIGKILL)
        self.log.close()

    def admin(self, *arguments):
        """What `nkul admin … --json` answers."""
        done = subprocess.run(
            [self.nkul, "admin", *arguments, "--json"], env=self.environment, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise RuntimeError(f"nkul admin {' '.join(arguments)}: {done.stderr}")
        return json.loads(done.stdout)

    def kill(self, service):
        """`nkul up` starts it again."""
        os.kill(self.pids[service], signal.SIGKILL)

    def play(self, recording, speed):
        """Begins to play a recording, the clocks with it."""
        with open(self.home / "replay.log", "w") as log:
            self.replay = subprocess.Popen(
                [self.nkul, "replay", recording, "--clock", "--speed", str(speed)],
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        return self.replay

    def truth(self, recording):
        """What was wrong in a recording that is or was played, by the services' clocks."""
        told = json.loads(pathlib.Path(f"{recording}.truth.json").read_text())
        shift = json.loads(next((self.home / "replay").glob("*.json")).read_text())["shift_ms"]
        for fault in told["faults"]:
            fault["from_ms"] += shift
            fault["to_ms"] += shift
        return told

    @staticmethod
    def local_time(milliseconds):
        """A moment as a field of the page has it: in Cameroon, which has no summer time."""
        return datetime.datetime.fromtimestamp(milliseconds / 1000, CAMEROON).strftime("%Y-%m-%dT%H:%M")

    def replay_said(self):
        return (self.home / "replay.log").read_text()[-400:]
