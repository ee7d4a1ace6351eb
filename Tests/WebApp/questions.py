"""A person who turns questions on, with a subscription that the test makes and pushes that DevTools delivers."""

import json
import re
import time
import urllib.request

from person import rows

KEYS = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
# At any hour, and again at once.
POLICY = {"version": 1, "time_zone": "Africa/Douala", "rules": {}, "daily_maximum": 20, "emergency_bypass": True,
          "pause": {"between_minutes": 0, "after_ignored_minutes": 1, "factor": 1, "longest_minutes": 1}}
# Debian's Chromium reaches no push service: the browser's side of a subscription, which outlives the page. Nobody listens there.
SUBSCRIPTION = """
  const made = () => ({
    toJSON: () => ({ endpoint: "https://127.0.0.1:1/send", expirationTime: null, keys: %s }),
    unsubscribe: async () => { localStorage.removeItem("subscribed"); return true; },
  });
  PushManager.prototype.getSubscription = async () => localStorage.getItem("subscribed") ? made() : null;
  PushManager.prototype.subscribe = async (options) => {
    localStorage.setItem("subscribed", JSON.stringify({ ...options, applicationServerKey: options.applicationServerKey.length }));
    return made();
  };
""" % json.dumps(KEYS)


class Browser:
    """What the browser and its push service do."""

    def __init__(self, walk, person):
        self.walk, self.person, self.found = walk, person, []
        self.tool = person.context.new_cdp_session(person.page)
        self.tool.on("ServiceWorker.workerRegistrationUpdated", lambda event: self.found.extend(event["registrations"]))
        self.tool.send("ServiceWorker.enable")
        person.soon(lambda: self.found)

    def push(self, name, moment="raised"):
        question = {"prompt_id": name, "rule": "no_service", "moment": moment, "policy_version": "default-1",
                    "topic": "a1" * 16, "asked_at_ms": 0}
        self.tool.send("ServiceWorker.deliverPushMessage", {
            "origin": self.walk.url.rstrip("/"), "registrationId": self.found[-1]["registrationId"], "data": json.dumps(question)})
        return question

    def shown(self):
        return self.person.page.evaluate(
            "navigator.serviceWorker.ready.then((ready) => ready.getNotifications())"
            ".then((list) => list.map(({ title, body, lang }) => ({ title, body, lang })))")

    def does(self, name, question):
        """Runs what the worker does when the person touches a notification; scripts cannot touch one."""
        self.person.context.service_workers[-1].evaluate(f"(question) => {name}(question).catch(() => {{}})", question)

    def is_on(self):
        return self.person.page.evaluate("nkul.questions.standing()")["is_on"]


def counted(admin, name, outcome):
    with urllib.request.urlopen(f"http://{admin}/metrics") as answer:
        found = re.search(rf'^{name}{{outcome="{outcome}"}} (\d+)', answer.read().decode(), re.M)
    return int(found[1])


def is_asked(walk):
    """UC-001 1, 2: a question after something happened, in a browser."""
    place = {"latitude": 4.0511, "longitude": 9.7679, "accuracy": 20}
    person = walk.arrive("grace", permissions=["notifications", "geolocation"], geolocation=place)
    person.context.add_init_script(SUBSCRIPTION)
    person.begins("measurement", "location_precise")
    person.page.evaluate("Promise.all([nkul.store.set('operator', '62401'), nkul.store.set('placeAsked', true)])")
    person.controlled()
    outcomes = lambda: rows(walk.metrics, "accepted", "prompt")
    before = outcomes()
    browser = Browser(walk, person)
    person.open("#privacy")
    person.soon(lambda: person.page.is_visible("#asking"), 30)
    walk.claim("UC-001 1: questions are off until they are turned on, and it is said who learns of them",
               not browser.is_on() and "maker of your browser" in person.text("#asking"))
    walk.has_no_fault("privacy with questions", person)
    person.taps = 0
    person.tap("#asking .row button")
    walk.claim("UC-001 1: they are turned on in one tap, and the server knows where",
               person.says("It is on from now") and browser.is_on() and person.taps == 1, person.text("#notice"))
    options = json.loads(person.page.evaluate("localStorage.getItem('subscribed')"))
    walk.claim("UC-001 1: the browser was given the notifier's key", options == {"userVisibleOnly": True, "applicationServerKey": 65}, options)

    helps_to_raise_an_alarm(walk, person)
    person.open("#privacy")
    began = time.monotonic()
    question = browser.push("q1")
    walk.claim("UC-001 1: what is pushed is shown, in the person's words",
               person.soon(lambda: [one["body"] for one in browser.shown()] == ["Your answers helped to find a fault. How is it now?"]),
               browser.shown())
    took = time.monotonic() - began
    walk.claim("NFR-006: a question is shown in less than a second", took < 1, f"{took:.2f} s")
    walk.claim("UC-001 1: that it was shown is with the server", person.soon(lambda: outcomes() == before + 1), outcomes() - before)
    answers_it(walk, person, browser, question)
    walk.claim("UC-001 2: that it was answered is with the server", person.soon(lambda: outcomes() == before + 2), outcomes() - before)

    person.tap("#language")
    person.soon(lambda: person.page.evaluate("nkul.store.get('questionWords')")["language"] == "fr")
    question = browser.push("q2", "over")
    walk.claim("UC-001 1: in French, too, and of an alarm the newest alone",
               person.soon(lambda: [one["lang"] for one in browser.shown()] == ["fr"]) and "finie" in browser.shown()[0]["body"], browser.shown())
    browser.does("dismiss", question)
    walk.claim("UC-001 2b: one that is closed is told as dismissed", person.soon(lambda: outcomes() == before + 4), outcomes() - before)
    browser.push("q3")
    person.soon(lambda: outcomes() == before + 5)
    person.page.evaluate("nkul.store.get('questions').then((list) => nkul.store.set('questions', list.map((one) => ({ ...one, at: 0 }))))")
    person.page.reload()
    walk.claim("UC-001 2b: one that nobody touched is told as ignored", person.soon(lambda: outcomes() == before + 6), outcomes() - before)
    walk.claim("UC-001 2b: each is told once", person.page.evaluate("nkul.store.get('questions')") == [])

    person.open("#privacy")
    person.soon(lambda: person.page.is_visible("#asking"))
    person.tap("#asking .row button")
    walk.claim("UC-001 1: they are turned off in one tap", person.says("désactivé") and not browser.is_on(), person.text("#notice"))
    walk.calm(person, "questions")
    person.context.close()


def helps_to_raise_an_alarm(walk, person):
    """An emergency is an alarm by itself: from the app through router, ingest and notifier to where the browser said."""
    policy = walk.directory / "policy.json"
    policy.write_text(json.dumps(POLICY))
    walk.house.admin("prompt-policy", "set", str(policy))
    version = ("nkul.store.get('token').then((token) => fetch('/v1/me/prompt-policy', {headers: {Authorization: `Bearer ${token}`}}))"
               ".then((answer) => answer.json()).then((policy) => policy.policy_version)")
    person.soon(lambda: person.page.evaluate(version) == "1", 20)
    asked = lambda: counted(walk.metrics, "nkul_ingest_questions_total", "asked")
    tried = lambda: counted(walk.house.environment["NKUL_ADMIN_NOTIFIER"], "nkul_notifier_questions_total", "failed")
    person.open("#home")
    person.soon(lambda: "With your place" in person.text("#place"))
    person.tap("#emergency-ask")
    person.tap("#emergency-send")
    walk.claim("UC-001 1: who helped to raise an alarm is asked about it", person.soon(lambda: asked() == 1, 30), asked())
    walk.claim("UC-001 1: the notifier has tried to send the question, once", person.soon(lambda: tried() == 1, 30), tried())


def answers_it(walk, person, browser, question):
    sent = []
    person.page.on("request", lambda request: sent.append(request.post_data) if request.url.endswith("/v1/feedback") else None)
    browser.does("open", question)
    walk.claim("UC-001 1: a tap on it opens the stars, with what is asked",
               person.soon(lambda: person.page.is_visible("#question")) and "helped to find a fault" in person.text("#question"))
    walk.peek("home-question", person)
    person.taps = 0
    person.tap("#stars button:nth-child(2)")
    person.tap("#send")
    walk.claim("UC-001 3: it is answered in two taps", person.says("Your answer is in") and person.taps == 2, person.text("#notice"))
    records = json.loads(sent[-1]) if sent else []
    walk.claim("UC-001 2: the answer names the question", [(one.get("prompt_id"), one["trigger"]) for one in records] == [("q1", "prompt")], records)
    walk.claim("UC-001 2: then it is asked no more", person.soon(lambda: not person.page.is_visible("#question")))
