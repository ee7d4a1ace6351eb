"""What schemathesis has to know of the device API beside its document."""

import base64
import json
import os
import time

import schemathesis
from hypothesis import strategies as st

UPLOADS = {"/v1/reports", "/v1/feedback", "/v1/me/prompts", "/v1/sensor-events", "/v1/command-results", "/v2/geosubmit"}
# Those whose answer is a receipt.
RECEIPTS = UPLOADS - {"/v2/geosubmit"}


@schemathesis.auth()
class Bearer:
    """The token of a device that was enrolled for this; calls that change it for the others have devices of their own."""

    def get(self, case, context):
        return {name: os.environ[f"NKUL_API_{name}"] for name in ["CONSENT_TOKEN", "ERASURE_TOKEN", "KEY", "TOKEN"]}

    def set(self, case, data, context):
        path = case.operation.path
        if path == "/v2/geosubmit":
            case.query["key"] = data["KEY"]
            return
        name = "CONSENT_" if path in {"/v1/me/consent", "/v1/me/upload-key"} else "ERASURE_" if path.startswith("/v1/me/erasures") else ""
        case.headers["Authorization"] = f"Bearer {data[name + 'TOKEN']}"


# MARK: values that no schema describes

# The base point of P-256 is on the curve.
GENERATOR = bytes.fromhex(
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)
schemathesis.openapi.format("p256-public-key", st.just(base64.b64encode(GENERATOR).decode()))
# Well written, and nobody's.
schemathesis.openapi.format("activation-code", st.just("0000-0000-0000-0000"))

RECORD = st.fixed_dictionaries(
    {
        "seq": st.integers(1, 10_000),
        "captured_at_ms": st.integers(0, 86_400_000).map(lambda age: int(time.time() * 1000) - age),
        "rating": st.integers(1, 5),
        "prompt_id": st.text("abc-1", min_size=1, max_size=20),
        "outcome": st.sampled_from(["shown", "answered", "ignored", "dismissed"]),
        "policy_version": st.just("1"),
        "comment": st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20),
    }
)
RECORDS = st.lists(RECORD, min_size=1, max_size=5)


def quoted(value):
    """A cell of a CSV (RFC 4180)."""
    return '"' + str(value).replace('"', '""') + '"'


def csv(rows):
    lines = [",".join(rows[0])] + [",".join(map(quoted, row.values())) for row in rows]
    return "\r\n".join(lines) + "\r\n"


schemathesis.openapi.format("records", RECORDS.map(lambda rows: "".join(json.dumps(row) + "\n" for row in rows)))
schemathesis.openapi.format("records-csv", RECORDS.map(csv))


@schemathesis.serializer("application/x-ndjson", "text/csv")
def as_it_is(context, value):
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


# MARK: what holds for uploads


@schemathesis.check
def bad_records_are_told(context, response, case):
    """A body against the schema is refused, or the receipt tells of a record that was rejected or of a value that was left out."""
    if response.status_code != 200 or case.operation.path not in RECEIPTS or case.media_type != "application/json":
        return
    mode = case.meta and case.meta.components.get(schemathesis.core.parameters.ParameterLocation.BODY)
    if mode and mode.mode.is_negative:
        receipt = response.json()
        told = receipt["rejected"] > 0 or any("left_out" in item for item in receipt["items"])
        assert told, f"taken although it is against the schema: {receipt}"


@schemathesis.check
def receipts_add_up(context, response, case):
    """What was accepted, known and rejected are all records; what is listed is within them."""
    if response.status_code != 200 or case.operation.path not in RECEIPTS:
        return
    receipt = response.json()
    total = receipt["accepted"] + receipt["duplicates"] + receipt["conflicts"] + receipt["rejected"]
    rejected = [item for item in receipt["items"] if item["status"] == "rejected"]
    assert len(rejected) == receipt["rejected"], receipt
    assert all(item["index"] < total for item in receipt["items"]), receipt


@schemathesis.check
def answers_are_dated_and_private(context, response, case):
    """Every answer has a Date; what is no upload's receipt says whether it may be kept."""
    assert "date" in response.headers, "there is no Date"
    if not (response.status_code == 200 and case.operation.path in UPLOADS):
        assert "cache-control" in response.headers, "there is no Cache-Control"


@schemathesis.check
def only_a_child_needs_a_guardian(context, response, case):
    """A change of consent that its schema allows is refused for one reason only."""
    if case.operation.label == "PUT /v1/me/consent" and response.status_code == 422:
        body = case.meta and case.meta.components.get(schemathesis.core.parameters.ParameterLocation.BODY)
        if body and body.mode.is_positive:
            assert response.json()["code"] == "guardian_required", response.json()
