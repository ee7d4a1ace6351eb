"""What happens in Tests/Notifier/check, step by step."""

import email
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import zmq
from receivers import KEY, Alertmanager, Mail, Web

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVICES = ["alert-router", "batch-aggregator", "reward-dispatcher", "privacy-worker", "analytics-exporter", "ingest", "notifier"]


class Failed(Exception):
    pass


def check(holds, what):
    print(("ok      " if holds else "FAILED  ") + what, flush=True)
    if not holds:
        raise Failed(what)


def until(seconds, ready):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ready():
            return True
        time.sleep(0.1)
    return False


class House:
    """All services on a home of their own, and nkul beside them."""

    def __init__(self, folder, programs, mail):
        self.folder, self.programs = folder, programs
        self.home = folder / "home"
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("NKUL_")},
            "NKUL_HOME": str(self.home), "NKUL_NOTIFIER": "1", "NKUL_CLOCK": "recording", "NKUL_INGEST_HTTP": "127.0.0.1:0",
            "NKUL_EXPORTER_HTTP": "127.0.0.1:0", "NKUL_ALERTS_PORT": "0", "NKUL_NOTIFIER_ALLOW_PRIVATE": "127.0.0.0/8",
            "NKUL_NOTIFIER_SMTP": f"smtp://localhost:{mail.port}", "NKUL_NOTIFIER_SMTP_CA": str(mail.certificate),
            "NKUL_NOTIFIER_MAIL_FROM": "nkul@check.example", "NKUL_NOTIFIER_FIRST_PAUSE_MS": "200",
            "NKUL_NOTIFIER_LONGEST_PAUSE_MS": "1000",
            **{f"NKUL_ADMIN_{name.upper().replace('-', '_')}": "127.0.0.1:0" for name in SERVICES},
        }
        self.log = open(folder / "nkul.log", "w")
        self.up = subprocess.Popen(
            [programs / "nkul", "up", "--json"], env=self.environment, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.ready = json.loads(self.up.stdout.readline() or "{}")
        if not self.ready.get("ready"):
            raise Failed("the services do not start: " + (folder / "nkul.log").read_text()[-2000:])

    def nkul(self, *arguments, given=None, code=0):
        done = subprocess.run(
            [self.programs / "nkul", *arguments], env=self.environment, input=given, capture_output=True, text=True)
        if done.returncode != code:
            raise Failed(f"nkul {' '.join(arguments)}: {done.returncode} {done.stdout} {done.stderr}")
        return done.stdout + done.stderr

    def ask(self, service, call, arguments):
        socket = zmq.Context.instance().socket(zmq.REQ)
        socket.connect(f"ipc://{self.home}/run/{service}.control")
        socket.send(json.dumps({"call": call, "arguments": arguments}).encode())
        if not socket.poll(5000):
            raise Failed(f"{service} does not answer {call}")
        answer = json.loads(socket.recv())
        socket.close()
        if "error" in answer:
            raise Failed(f"{call}: {answer['error']}")
        return answer["result"]

    def clock(self, ahead_of_now_seconds):
        """Sets the recording's clock so far from the system's; it runs as fast."""
        now = int(time.time() * 1000)
        for service in SERVICES:
            self.ask(service, "clock.set", {
                "now_ms": now + int(ahead_of_now_seconds * 1000), "at_ms": now, "speed": 1, "begin": ahead_of_now_seconds < -60})

    def post(self, path, document, token=None):
        request = urllib.request.Request(
            self.ready["device_api"] + path, json.dumps(document).encode(), {"Content-Type": "application/json"})
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def kill_notifier(self):
        record = json.loads((self.home / "run/notifier.json").read_text())
        os.kill(record["pid"], signal.SIGKILL)
        return record["pid"]

    def notifier(self):
        try:
            return json.loads((self.home / "run/notifier.json").read_text())["pid"]
        except (OSError, ValueError):
            return None

    def stop(self):
        self.up.send_signal(signal.SIGINT)
        try:
            self.up.wait(20)
        except subprocess.TimeoutExpired:
            self.up.kill()


def set_channels(house, web, manager):
    def add(name, document, code=0):
        document = {"tenant": "regulator", **document}
        return house.nkul("admin", "channel", "add", name, "-", given=json.dumps(document), code=code)

    for url in ["http://10.0.0.1/", "http://[::ffff:192.168.0.1]/", "http://2130706433/", "http://user@example.org/"]:
        said = add("bad", {"kind": "webhook", "url": url, "secrets": {"hmac_key": KEY}}, code=1)
        check("url" in said and KEY not in said, f"{url} is refused by the name of its field")
    add("hook", {"kind": "webhook", "url": f"{web.url}/hook", "secrets": {"hmac_key": KEY}})
    add("am", {
        "kind": "alertmanager", "url": f"http://127.0.0.1:{manager.port}/api/v2/alerts", "resend_seconds": 2, "per_minute": 600})
    add("mail", {"kind": "email", "to": "noc@check.example", "digest_seconds": 3})
    add("push", {"kind": "webpush", "secrets": web.subscription()})
    web.vapid = json.loads(house.nkul("admin", "channel", "key", "--json"))["vapid_key"]
    shown = house.nkul("admin", "channel", "list", "--json")
    check(KEY not in shown and web.subscription()["auth"] not in shown, "no secret is shown")
    for path in house.home.rglob("*"):
        if path.is_file() and "keys" not in path.parts and KEY.encode() in path.read_bytes():
            raise Failed(f"{path} has a secret in clear")
    for name in ["hook", "mail", "push"]:
        check(until(20, lambda: "delivered" in try_test(house, name)), f"a test reaches {name}")
    web.hooks.clear(), web.pushed.clear(), web.mail.messages.clear()


def try_test(house, name):
    done = subprocess.run(
        [house.programs / "nkul", "admin", "channel", "test", name], env=house.environment, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def raise_alarm(house):
    consent = {"measurement": True, "location_precise": True, "call_events": True}
    token = house.post("/v1/devices", {
        "platform": "android", "app_version": "1.0", "policy_version": "1", "consent": consent})["token"]
    captured = int((time.time() - 14400) * 1000)
    receipt = house.post("/v1/reports", [{
        "seq": 1, "captured_at_ms": captured, "latitude": 4.05, "longitude": 9.77, "accuracy_m": 12, "network_type": "LTE",
        "mcc": "624", "mnc": "01", "rsrp_dbm": -97, "event": "emergency"}], token)
    check(receipt["accepted"] == 1, "a phone's report is accepted")


def on_call(house, web, mail, alarm):
    """Somebody is called, takes the alarm, and nobody is called any more; the history says who was told."""
    calls = lambda: [m for m in mail.messages if "escalated" in email.message_from_bytes(m.content).get_payload(decode=True).decode()]
    check(until(20, lambda: len(calls()) == 1), "the contact on call is told by mail")
    check(email.message_from_bytes(calls()[0].content)["To"] == "<ann@check.example>", "it is the contact's own address")
    house.nkul("admin", "alarm", "act", "acknowledge", alarm, "--minutes", "60")
    history = json.loads(house.nkul("admin", "alarm", "history", alarm, "--json"))
    check([act["act"] for act in history["acts"]] == ["escalate", "acknowledge"], "the history has the call and who took it")
    told = lambda: {(one["channel"], one["transition"]) for one in json.loads(
        house.nkul("admin", "alarm", "history", alarm, "--json"))["deliveries"] if one["state"] == "delivered"}
    check(until(20, lambda: {("hook", "raised"), ("ann", "escalated:1")} <= told()), "and which channel was told when")


def course(house, web, mail, manager, seconds):
    house.clock(-14400)
    set_channels(house, web, manager)
    house.nkul("admin", "contact", "add", "regulator", "ann", "--role", "engineer")
    house.nkul("admin", "channel", "add", "ann", "-", given=json.dumps(
        {"tenant": "regulator", "kind": "email", "to": "ann@check.example", "digest_seconds": 0, "contact": "ann"}))
    house.nkul("admin", "schedule", "set", "noc", "-", given=json.dumps({"zone": "Africa/Douala", "shifts": [
        {"days": [day], "from": "00:00", "to": "24:00", "contact": "ann"} for day in ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]}))
    said = house.nkul("admin", "escalation", "set", "night", "-", given=json.dumps({"steps": [{"schedule": "nights"}]}), code=1)
    check("steps[0].schedule" in said, "a schedule that is not there is refused by the name of its field")
    house.nkul("admin", "escalation", "set", "night", "-", given=json.dumps(
        {"steps": [{"schedule": "noc"}, {"after_minutes": 1, "schedule": "noc"}]}))
    check("ann is on call" in house.nkul("admin", "schedule", "check", "noc"), "nkul says who is on call")
    raise_alarm(house)
    check(until(10, lambda: [hook["transition"] for hook in web.hooks] == ["raised"]), "the webhook is told, signed")
    check(until(10, lambda: len(web.pushed) == 1), "http_ece decrypts the push, py_vapid verifies its sender")
    check(web.pushed[0]["sound"] == web.hooks[0]["alarm"]["perceivedSeverity"], "a push names the sound of its severity")
    raised = lambda: [m for m in mail.messages if email.message_from_bytes(m.content)["To"] == "<noc@check.example>"]
    check(until(15, lambda: len(raised()) == 1), "aiosmtpd takes the mail over STARTTLS")
    message = email.message_from_bytes(raised()[0].content)
    check(message["To"] == "<noc@check.example>" and "raised" in message.get_payload(decode=True).decode(), "the mail says so")
    alarm = web.hooks[0]["alarm"]["id"]
    check(until(15, lambda: web.notified == [("firing", alarm)]), "Alertmanager notifies that it fires")
    check(any(alert["labels"]["alarm"] == alarm for alert in manager.alerts()), "amtool shows it")
    on_call(house, web, mail, alarm)
    begin, starts = time.monotonic(), {alert["startsAt"] for alert in manager.alerts()}
    pid = house.kill_notifier()
    check(until(20, lambda: house.notifier() not in (None, pid)), "the notifier is killed and comes again")
    time.sleep(max(seconds / 2 - (time.monotonic() - begin), 0))
    manager.restart()
    check(until(15, lambda: bool(manager.alerts())), "Alertmanager is started anew and knows the alert again")
    time.sleep(max(seconds - (time.monotonic() - begin), 0))
    calls = [m for m in mail.messages if "escalated" in email.message_from_bytes(m.content).get_payload(decode=True).decode()]
    check(len(calls) == 1, "nobody else is called of an alarm that somebody has")
    check(web.notified == [("firing", alarm)], f"one firing and none resolved for {seconds:.0f} s")
    check({alert["startsAt"] for alert in manager.alerts()} == starts, "startsAt is kept")
    web.down = True
    house.clock(-1)
    check(until(60, lambda: ("resolved", alarm) in web.notified), "Alertmanager notifies that it is resolved")
    pid = house.kill_notifier()
    check(until(20, lambda: house.notifier() not in (None, pid)), "the notifier is killed before the webhook was told")
    web.down = False
    check(until(20, lambda: [hook["transition"] for hook in web.hooks] == ["raised", "cleared"]), "the clear arrives all the same")
    time.sleep(10)
    check(web.notified == [("firing", alarm), ("resolved", alarm)], "exactly one resolved")
    check([hook["transition"] for hook in web.hooks] == ["raised", "cleared"], "nothing is told again")
    check(web.faults == [], f"no message is wrong {web.faults}")


def run(configuration, seconds):
    if not shutil.which("prometheus-alertmanager") or not shutil.which("amtool"):
        print("check-notifier: prometheus-alertmanager or amtool is missing (apt-get install prometheus-alertmanager)", file=sys.stderr)
        return 77
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nkul-", dir="/tmp"))
    house = manager = None
    try:
        web, mail = Web(), Mail(folder)
        web.mail = mail
        manager = Alertmanager(folder, web)
        house = House(folder, ROOT / ".build" / configuration, mail)
        course(house, web, mail, manager, seconds)
        print("check-notifier: all holds")
        shutil.rmtree(folder, ignore_errors=True)
        return 0
    except Failed as failure:
        print(f"check-notifier: {failure}; {web.faults}; logs in {folder}", file=sys.stderr)
        return 1
    finally:
        if house:
            house.stop()
        if manager:
            manager.stop()
