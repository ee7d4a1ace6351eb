"""What schemathesis has to know of the operators' API beside its documents."""

import datetime
import json
import os
import random
import re
import zlib

import requests
import schemathesis
from hypothesis import strategies as st

THINGS = json.loads(os.environ["NKUL_API_THINGS"])
FOR_REGULATORS = {"/v1/erasures"}


@schemathesis.auth()
class Bearer:
    """The token of a tenant's manager; what is for regulators goes by theirs."""

    def get(self, case, context):
        return {name: os.environ[f"NKUL_API_{name}"] for name in ["TOKEN", "REGULATOR"]}

    def set(self, case, data, context):
        name = "REGULATOR" if case.operation.path in FOR_REGULATORS else "TOKEN"
        case.headers["Authorization"] = f"Bearer {data[name]}"


# MARK: values that no schema describes

NOW = datetime.datetime.now(datetime.timezone.utc)
schemathesis.openapi.format(
    "soon", st.integers(10, 10_000).map(lambda minutes: (NOW + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")))
schemathesis.openapi.format("contact", st.sampled_from(["ann", "manager"]))
schemathesis.openapi.format("zone", st.sampled_from(["Africa/Douala", "UTC"]))
schemathesis.openapi.format("schedule", st.just("noc"))
schemathesis.openapi.format("channel", st.just("mail"))
schemathesis.openapi.format("alarm", st.sampled_from(THINGS["alarms"]))
# Nobody listens there; what the notifier makes of that is tried in its own suites.
schemathesis.openapi.format("listener", st.sampled_from(["https://oss.example.invalid/listener", "http://example.invalid"]))
schemathesis.openapi.format(
    "events", st.sampled_from(["eventType=AlarmCreateEvent", "perceivedSeverity=critical,major&plmn=62401", "place=12,13"]))


# MARK: things that there are


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Three of four well-formed names become that of something there is; which is decided by the name itself."""
    name, path = (path_parameters or {}).get("id"), context.operation.path
    numbered = {"/v1/sites/{id}": 12, "/v1/sensors/{id}": 7, "/v1/doors/{id}": 3}
    for begin, number in numbered.items():
        if path.startswith(begin) and isinstance(name, int) and 0 < name < 1 << 24:
            return path_parameters | {"id": number if name % 4 else name}
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", name):
        return path_parameters
    draw = zlib.crc32(name.encode())
    if draw % 4 == 0:
        return path_parameters
    if "alarm/" in path or path.startswith("/v1/alarms/"):
        # What ends an alarm has half of them for itself, so that others meet some that go on.
        half = len(THINGS["alarms"]) // 2
        some = THINGS["alarms"][half:] if path.endswith("/clear") else THINGS["alarms"][:half]
        return path_parameters | {"id": some[draw % len(some)]}
    thing = "task" if path.startswith("/v1/tasks/") else "order" if "ckAlarms/" in path else None
    return path_parameters | {"id": THINGS[thing]} if thing else path_parameters


# MARK: what needs a contact

ASKED = set()


@schemathesis.check
def nobody_is_refused(context, response, case):
    """What is for contacts is 401 without a token. (schemathesis' own check also sends wrong ones, which are slowed down: 429.)"""
    operation = case.operation
    if operation.definition.raw.get("security") == [] or operation.label in ASKED or response.status_code >= 400:
        return
    ASKED.add(operation.label)
    sent = response.request
    headers = {name: value for name, value in sent.headers.items() if name.lower() != "authorization"}
    answer = requests.request(sent.method, sent.url, headers=headers, data=sent.body, timeout=15)
    assert answer.status_code == 401, f"{answer.status_code} without a token"
