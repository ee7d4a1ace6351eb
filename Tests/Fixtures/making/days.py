"""Four sittings on four days: what operators and phones do in the life of a fixture home."""
import json
import time
from datetime import datetime, timezone

from phones import MINUTE, Phone
from services import wait

HOUR = 60 * MINUTE


def at(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp() * 1000)


# The first day is over so long before the second that its statistics are sealed and its journals trimmed.
SEALED, FIRST = at("2026-02-20T11:00"), at("2026-03-03T17:00")
SECOND, LAST = at("2026-03-04T12:00"), at("2026-03-05T19:00")
POLICY = {
    "version": 7, "time_zone": "Africa/Douala", "rules": {"call_drop": {"drops": 2, "within_minutes": 60}},
    "pause": {"between_minutes": 60, "after_ignored_minutes": 240, "factor": 2, "longest_minutes": 10080},
    "quiet_hours": {"from": "21:30", "to": "06:00"}, "daily_maximum": 2, "emergency_bypass": True}


class Life:
    """The home's life; `secrets` gathers the tokens by which tests look at it later."""

    def __init__(self, services, scratch, made):
        self.services, self.scratch, self.made = services, scratch, made
        self.phones = [Phone(number, services) for number in range(26)]
        self.secrets = {}

    def sitting(self, now, act):
        """All services are started at a moment, `act` is done, they finish their work and are stopped."""
        self.services.set_clock(now)
        self.services.start()
        self.now, self.began = now, time.monotonic()
        act()

    def moment(self):
        return self.now + int((time.monotonic() - self.began) * 1000)

    def run(self):
        for now, act in [(SEALED, self.sealed), (FIRST, self.first), (SECOND, self.second)]:
            self.sitting(now, act)
            self.services.settle()
            if act == self.sealed:
                self.back_up()
            self.services.stop()
        self.sitting(LAST, self.last)

    def sealed(self):
        """Six phones in one town; operators and what they pay."""
        self.operators()
        for phone in self.phones[:6]:
            phone.town = self.phones[0].town
            phone.enrol()
            phone.live(self.now, 2, urgent=phone.number == 2)

    def back_up(self):
        """A backup of the first day, with its key; what is in it is what `backup-rows.csv.xz` says."""
        key = self.services.nkul("backup", "key", "-o", str(self.made / "backup.identity")).strip()
        self.services.nkul("backup", "-o", str(self.made / "backup.nkul"), "--to", key)

    def operators(self):
        admin = self.services.admin_json
        self.secrets["mtn"] = admin("tenant", "add", "mtn", "--plmn", "62401")["token"]
        self.secrets["art"] = admin("tenant", "add", "art", "--regulator", "--original-ids")["token"]
        admin("contact", "add", "mtn", "engineer-1", "--role", "engineer")
        admin("contact", "add", "mtn", "viewer-1", "--role", "viewer")
        admin("contact", "revoke", "mtn", "viewer-1")
        admin("campaign", "set", "spring", "--amount", "25", "--daily-maximum", "3", "--from", "2026-02-01T00:00:00Z")
        admin("campaign", "set", "orange", "--amount", "40", "--operator", "62402", "--from", "2026-03-01T00:00:00Z")
        policy = self.scratch / "policy.json"
        policy.write_text(json.dumps(POLICY))
        admin("prompt-policy", "set", str(policy))
        rule = self.scratch / "rule.json"
        rule.write_text(json.dumps({"kind": "urgent", "note": "nobody applies rules yet"}))
        admin("rule", "set", "fixture", str(rule))

    def first(self):
        """The others enrol, some with a code; four share a payout number, so that grants of the fourth stay pending."""
        words = ["--count", "3", "--expires-in", "30", "--note", "shop"]
        codes = self.services.admin_json("device", "codes", "add", *words)
        for phone in self.phones[6:]:
            code = codes["codes"][phone.number % 2] if phone.number in (8, 9) else None
            phone.enrol(**({"activation_code": code} if code else {}))
        for phone in (self.phones[number] for number in (5, 9, 11, 13)):
            phone.call("PUT", "/v1/me/payout", {"phone": "+237670000001", "operator": "62401"})
            self.services.settle()
        for phone in self.phones:
            phone.live(self.now, 2, urgent=phone.number % 5 == 1)

    def second(self):
        """Consents change; one phone has everything erased, another an hour of the day before."""
        for phone in self.phones[2::3]:
            phone.live(self.now, 2, urgent=phone.number % 9 == 5)
        self.change(self.phones[6], operator_sharing=False)
        self.change(self.phones[11], rewards=False)
        self.change(self.phones[4], operator_sharing=True)
        part = {"from": "2026-03-03T15:00:00Z", "to": "2026-03-03T16:30:00Z"}
        self.phones[14].call("POST", "/v1/me/erasures", {"scope": part})
        self.phones[15].call("POST", "/v1/me/erasures", {"scope": {"all": True}})
        self.phones = [phone for phone in self.phones if phone.number != 15]
        wait("two erasures", 120, lambda: self.services.admin_json("erasure", "list")["completed"] == 2)

    def change(self, phone, **purposes):
        phone.consent |= purposes
        phone.call("PUT", "/v1/me/consent", {"consent": phone.consent, "policy_version": "2026-2", "age_band": "18+"})

    def last(self):
        """The evening; a copy is asked for; the aggregator is killed with rows that are in no cell yet."""
        for phone in self.phones[::3]:
            phone.live(self.now, 2, urgent=phone.number % 9 == 0)
        self.services.settle()
        self.secrets["copy"] = self.phones[8].call("POST", "/v1/me/data")["request_id"]
        wait("a copy", 120, lambda: self.services.admin_json("access", "list")["completed"] == 1)
        self.services.settle()
        self.leave_rows_unfolded()
        self.services.stop()
        self.secrets["devices"] = {phone.device: phone.token for phone in self.phones}

    def leave_rows_unfolded(self):
        for attempt in range(20):
            # A fold begins at most once a second, so rows right after one wait.
            for _ in range(2):
                self.phones[attempt + 1].live(self.moment(), 2)
            deadline = time.monotonic() + 2
            while time.monotonic() < deadline:
                if self.services.metric("nkul_aggregator_waiting_blocks", "batch-aggregator"):
                    self.services.kill("batch-aggregator")
                    return self.wait_for_others()
            self.services.settle()
        raise SystemExit("make-home: the aggregator was too quick twenty times")

    def wait_for_others(self):
        """Until nobody of those that run is behind on any lane, twice in a second."""
        def is_read():
            ports = [self.services.admin[name] for name in self.services.running]
            texts = [self.services.fetch("/metrics", port)[1].decode() for port in ports]
            lags = [line for text in texts for line in text.splitlines() if line.startswith("nkul_lane_lag_blocks{")]
            time.sleep(0.5)
            return lags and all(line.endswith(" 0") for line in lags)
        wait("the others to have read all", 60, lambda: is_read() and is_read())
