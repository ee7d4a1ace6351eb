"""Phones of four operators: who they are, what they allow, and what they send. The same number, the same phone."""
import gzip
import json
import random
import uuid

PURPOSES = [
    "measurement", "location_precise", "location_coarse", "call_events", "rewards", "operator_sharing", "research"]
NETWORKS = ["01", "02", "03", "04"]
TOWNS = [(4.0511, 9.7679), (3.8667, 11.5167)]
TECHNOLOGIES = ["LTE", "LTE", "NR_NSA", "HSPA_PLUS", "EDGE", "WIFI"]
EVENTS = ["call_drop", "no_service", "emergency", "call_setup_failure", "slow_data"]
MINUTE = 60_000


class Phone:
    """One phone: its SIM, its place, its consents, its counter."""

    def __init__(self, number, services):
        self.number, self.services, self.random = number, services, random.Random(f"phone {number}")
        self.mnc = NETWORKS[number % 4]
        self.town = TOWNS[number // 4 % 2]
        self.seq = 0
        withheld = {
            "operator_sharing": number % 3 == 1, "research": number % 5 == 2, "rewards": number % 7 == 3,
            "location_precise": number % 6 == 4, "call_events": number % 11 == 5, "location_coarse": number % 12 == 4}
        self.consent = {purpose: not withheld.get(purpose, False) for purpose in PURPOSES}
        self.device = self.token = None

    def enrol(self, **more):
        body = {"platform": "android" if self.number % 2 else "ios", "app_version": "1.0", "policy_version": "2026-1",
                "age_band": "18+", "consent": self.consent, **more}
        status, answer = self.services.fetch(
            "/v1/devices", self.services.ingest, method="POST", body=json.dumps(body).encode())
        if status != 201:
            raise SystemExit(f"make-home: phone {self.number} could not enrol: {status} {answer}")
        enrolled = json.loads(answer)
        self.device, self.token = enrolled["device_id"], enrolled["token"]

    def call(self, method, path, document=None, expect=(200, 202)):
        """Calls the device API as this phone; the answer as JSON."""
        body = None if document is None and method == "GET" else json.dumps(document or {}).encode()
        status, answer = self.services.fetch(path, self.services.ingest, self.token, method, body)
        if status not in expect:
            raise SystemExit(f"make-home: {method} {path} of phone {self.number}: {status} {answer}")
        return json.loads(answer)

    def send(self, path, records):
        """One upload; every third is gzipped."""
        body, headers = json.dumps(records).encode(), {}
        if self.seq % 3 == 0:
            body, headers = gzip.compress(body, mtime=0), {"Content-Encoding": "gzip"}
        status, answer = self.services.fetch(
            path + "?receipts=all", self.services.ingest, self.token, "POST", body, headers=headers)
        refused = status == 200 and [item for item in json.loads(answer)["items"] if item["status"] == "rejected"]
        if status != 200 or refused:
            raise SystemExit(f"make-home: an upload of phone {self.number}: {status} {answer}")

    def identity(self):
        """Most records are counted, every ninth has a name of its own."""
        self.seq += 1
        if self.seq % 9:
            return {"seq": self.seq}
        return {"id": str(uuid.UUID(int=self.random.getrandbits(128), version=4))}

    def place(self):
        """Two places in a town; now and then none, a coarse one, or an invented one."""
        dice = self.random.random()
        if dice < 0.08:
            return {}
        latitude, longitude = self.town
        position = {"latitude": latitude + 0.006 * self.random.randrange(2),
                    "longitude": longitude, "accuracy_m": 12}
        if dice < 0.16:
            position |= {"accuracy_m": 1_500, "location_source": "cell"}
        elif dice < 0.22:
            position |= {"mock_location": True}
        return position

    def network(self):
        """The SIM's; some are served by a neighbour, a few do not know their network."""
        dice = self.random.random()
        if dice < 0.04:
            return {}
        sim = {"mcc": "624", "mnc": self.mnc, "plmn_source": "sim"}
        if dice < 0.18:
            other = self.random.choice([mnc for mnc in NETWORKS if mnc != self.mnc])
            sim |= {"serving_mcc": "624", "serving_mnc": other, "roaming": True}
        return sim

    def report(self, captured, event=None):
        technology = self.random.choice(TECHNOLOGIES)
        row = self.identity() | {"captured_at_ms": captured, "network_type": technology} | self.place() | self.network()
        if technology in ("LTE", "NR_NSA"):
            row |= {"rsrp_dbm": self.random.randrange(-115, -75), "rsrq_db": -11,
                    "sinr_db": self.random.randrange(0, 20), "cell_id": 100_000 + self.random.randrange(40),
                    "area_code": 322, "pci": 28}
        if self.random.random() < 0.6:
            row |= {"download_kbps": self.random.choice([180, 900, 4_200, 15_000]), "upload_kbps": 700}
        row |= {"latency_ms": self.random.choice([48, 85, 130, 420]), "jitter_ms": 9, "loss_pct": 0.5}
        return row | ({"event": event} if event else {})

    def feedback(self, captured, rating, prompt=None):
        row = self.identity() | {"captured_at_ms": captured, "rating": rating, "network_type": "LTE"}
        row |= self.place() | {"mcc": "624", "mnc": self.mnc, "comment": "fixture" if rating < 3 else "très bien 👍"}
        return row | ({"prompt_id": prompt, "trigger": "prompt"} if prompt else {"trigger": "voluntary"})

    def live(self, end, reports, urgent=False):
        """What a phone sends of the hours before `end`: reports, a feedback, what became of a prompt."""
        bucket = 5 * MINUTE
        times = [end - bucket * self.random.choice([1, 2, 14]) - self.random.randrange(MINUTE) for _ in range(reports)]
        self.send("/v1/reports", [self.report(at) for at in sorted(times)])
        if urgent:
            events = EVENTS[self.number % 3 :][:2]
            self.send("/v1/reports", [
                self.report(end - self.random.randrange(1, 4) * MINUTE, event) for event in events])
        if self.number % 3 == 2:
            return
        prompt = f"p{self.number}-{self.seq}"
        outcome = {"prompt_id": prompt, "policy_version": "7", "rule": "call_drop", "mcc": "624", "mnc": self.mnc}
        answered = "answered" if self.number % 2 else "ignored"
        self.send("/v1/me/prompts", [
            self.identity() | outcome | {"captured_at_ms": end - 4 * MINUTE, "outcome": "shown"},
            self.identity() | outcome | {"captured_at_ms": end - 3 * MINUTE, "outcome": answered}])
        if self.number % 2:
            self.send("/v1/feedback", [self.feedback(end - 2 * MINUTE, 1 + self.number // 2 % 5, prompt)])
