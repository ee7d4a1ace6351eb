"""A home with the services that alarms come from and are shown by, for checks with clients that nobody here wrote."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVICES = ["ingest", "alert-router", "analytics-exporter", "notifier"]


class Services:
    """Runs ingest, alert router, exporter and notifier on free ports while it is entered; alarms of one tenant are open."""

    def __init__(self, configuration):
        self.programs = ROOT / ".build" / configuration
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="nkul-api-"))
        kept = {key: value for key, value in os.environ.items() if not key.startswith("NKUL_")}
        self.environment = kept | {
            "NKUL_HOME": str(self.home / "var"), "NKUL_INGEST_HTTP": "127.0.0.1:0", "NKUL_EXPORTER_HTTP": "127.0.0.1:0",
            "NKUL_ALERTS_PORT": "0", "NKUL_NOTIFIER": "1",
            **{f"NKUL_ADMIN_{name.upper().replace('-', '_')}": "127.0.0.1:0" for name in SERVICES},
        }
        self.processes = {}

    def __enter__(self):
        try:
            for name in SERVICES:
                self.processes[name] = subprocess.Popen(
                    [self.programs / f"nkul-{name}"], env=self.environment, stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=open(self.home / f"{name}.log", "w"))
            self.phones = self.listener("ingest", "device_api")
            self.address = self.listener("analytics-exporter", "mno_api")
            self.regulator = (self.home / "var/keys/regulator.token").read_text().strip()
            tenant = self.admin("tenant", "add", "mtn", "--plmn", "62401", "--scope", "site:12")
            # The tenant's manager, by whom everything is called.
            self.token = tenant["token"]
            self.admin("contact", "add", "mtn", "ann", "--role", "engineer")
            self.alarms = self.emergencies(24)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.terminate()
        for name, process in self.processes.items():
            if process.wait(timeout=20) != 0:
                print((self.home / f"{name}.log").read_text()[-4000:])
        shutil.rmtree(self.home)

    def listener(self, service, name):
        """The address of a listener, once it is bound."""
        record = self.home / f"var/run/{service}.json"
        for _ in range(600):
            if record.exists():
                found = json.loads(record.read_text())["listeners"]
                if name in found:
                    return found[name]
            if self.processes[service].poll() is not None:
                break
            time.sleep(0.05)
        raise SystemExit(f"nkul-{service} did not start")

    def admin(self, *arguments):
        """What a command of nkul admin prints."""
        done = subprocess.run(
            [self.programs / "nkul", "admin", *arguments, "--json"], env=self.environment, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"nkul admin {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def call(self, path, body=None, token=None, address=None, kind="application/json", method=None):
        """The JSON of an answer that is no problem."""
        request = urllib.request.Request(
            f"http://{address or self.address}{path}", None if body is None else json.dumps(body).encode(),
            {"Content-Type": kind, "Authorization": f"Bearer {token or self.token}"}, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def emergencies(self, count):
        """The identifiers of alarms that one phone raises in as many places."""
        consent = {"measurement": True, "location_precise": True, "call_events": True}
        # One phone may have a few urgent records a minute only.
        phones = [
            self.call(
                "/v1/devices", {"platform": "android", "app_version": "1", "policy_version": "1", "consent": consent},
                address=self.phones)["token"]
            for _ in range(count // 6 + 1)
        ]
        rows = [
            {"seq": number + 1, "captured_at_ms": int(time.time() * 1000), "latitude": 4 + number / 10, "longitude": 9.7,
             "accuracy_m": 10, "network_type": "LTE", "mcc": "624", "mnc": "01", "event": "emergency"}
            for number in range(count)
        ]
        for number, row in enumerate(rows):
            self.call("/v1/reports", [row], token=phones[number // 6], address=self.phones)
        for _ in range(400):
            found = self.call("/v1/alarms")["alarms"]
            if len(found) >= count:
                return [alarm["id"] for alarm in found]
            time.sleep(0.05)
        raise SystemExit(f"{len(found)} of {count} alarms came")
