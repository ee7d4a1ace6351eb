"""A home with nothing but nkul-ingest in it, for checks with clients that nobody here wrote."""
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Ingest:
    """Runs nkul-ingest on a free port while it is entered."""

    def __init__(self, configuration, **settings):
        self.program = ROOT / ".build" / configuration / "nkul-ingest"
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="nkul-api-"))
        self.log = self.home / "ingest.log"
        kept = {key: value for key, value in os.environ.items() if not key.startswith("NKUL_")}
        self.environment = {
            **kept, "NKUL_HOME": str(self.home / "var"), "NKUL_INGEST_HTTP": "127.0.0.1:0",
            "NKUL_ADMIN_INGEST": "127.0.0.1:0", **settings,
        }

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.program], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(self.log, "w"))
        record = self.home / "var/run/ingest.json"
        for _ in range(600):
            if record.exists() and {"device_api", "admin"} <= json.loads(record.read_text())["listeners"].keys():
                listeners = json.loads(record.read_text())["listeners"]
                self.address, self.admin = listeners["device_api"], listeners["admin"]
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.__exit__()
        raise SystemExit("nkul-ingest did not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=15)
        if self.process.returncode != 0:
            print(self.log.read_text())
        shutil.rmtree(self.home)

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1])

    def metric(self, name):
        """A figure without labels."""
        with urllib.request.urlopen(f"http://{self.admin}/metrics") as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith(name + " "):
                    return float(line.split()[1])

    def resident(self):
        """Bytes of memory that the service has now."""
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024

    def enrol(self, scheme="http", purposes=("measurement", "call_events")):
        """A new device's token."""
        body = {"platform": "android", "app_version": "1", "policy_version": "1",
                "consent": {purpose: True for purpose in purposes}}
        request = urllib.request.Request(
            f"{scheme}://{self.address}/v1/devices", json.dumps(body).encode(), {"Content-Type": "application/json"})
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        with urllib.request.urlopen(request, context=trusting if scheme == "https" else None) as answer:
            return json.load(answer)["token"]

    def upload_key(self, token):
        """A key with which apps may send for a device."""
        request = urllib.request.Request(
            f"http://{self.address}/v1/me/upload-key", b"", {"Authorization": f"Bearer {token}"}, method="POST")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["key"]


def check(claim, holds, found=""):
    """Says whether a claim holds; the first that does not ends the check."""
    print(("ok    " if holds else "FAILS ") + claim)
    if not holds:
        raise SystemExit(f"found: {found}")
