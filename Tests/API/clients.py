"""The device API as curl sees it: bodies of every form, connections that are kept, refusals that say what would be taken."""

import gzip
import json
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import zlib

from ingest import Ingest, check


class Curl:
    """Calls of one device."""

    def __init__(self, ingest, folder):
        self.base, self.folder, self.seq = f"http://{ingest.address}", pathlib.Path(folder), 0
        # Not on a command line, where others could read it.
        (self.folder / "token").write_text(f"Authorization: Bearer {ingest.enrol()}\n")

    def __call__(self, path, *arguments, body=None, fields=(), named=True):
        """The status, the fields by their names in lower case, and the body of an answer."""
        command = ["curl", "--silent", "--show-error", "--max-time", "20", "--dump-header", self.folder / "head"]
        for field in ([f"@{self.folder}/token"] if named else []) + list(fields):
            command += ["--header", field]
        if body is not None:
            (self.folder / "body").write_bytes(body)
            command += ["--data-binary", f"@{self.folder}/body"]
        done = subprocess.run([*command, *arguments, self.base + path], capture_output=True)
        if done.returncode:
            raise SystemExit(f"curl: {done.stderr.decode()}")
        # Interim answers (100) come before the one that counts.
        head = (self.folder / "head").read_text().strip().split("\r\n\r\n")[-1].split("\n\n")[-1].splitlines()
        named = dict(line.split(":", 1) for line in head[1:] if ":" in line)
        return int(head[0].split()[1]), {name.lower(): text.strip() for name, text in named.items()}, done.stdout

    def row(self, **more):
        """A record that was not sent before."""
        self.seq += 1
        return {"seq": self.seq, "captured_at_ms": int(time.time() * 1000) - 1000} | more


def accepted(answer):
    """How many records an upload's receipt says were accepted; None if it was refused."""
    status, _, body = answer
    return json.loads(body)["accepted"] if status == 200 else None


def bodies(curl):
    json_type, lines = "Content-Type: application/json", "Content-Type: application/x-ndjson"

    def text(count):
        return json.dumps([curl.row() for _ in range(count)]).encode()

    def post(body, *fields):
        return curl("/v1/reports", body=body, fields=fields)

    for name, body, count, fields in [
        ("an object", json.dumps(curl.row()).encode(), 1, [json_type]),
        ("an array", text(3), 3, [json_type]),
        ("gzip", gzip.compress(text(100)), 100, [json_type, "Content-Encoding: gzip"]),
        ("deflate", zlib.compress(text(100)), 100, [json_type, "Content-Encoding: deflate"]),
        ("chunks", text(100), 100, [json_type, "Transfer-Encoding: chunked"]),
        ("what waits for 100 Continue", text(100), 100, [json_type, "Expect: 100-continue"]),
        ("lines", b"".join(json.dumps(curl.row()).encode() + b"\n" for _ in range(3)), 3, [lines]),
    ]:
        answer = post(body, *fields)
        check(f"{name}: {count} accepted", accepted(answer) == count, answer)
    rows = [curl.row() for _ in range(3)]
    csv = "seq,captured_at_ms\r\n" + "".join(f'{row["seq"]},"{row["captured_at_ms"]}"\r\n' for row in rows)
    answer = post(csv.encode(), "Content-Type: text/csv; charset=utf-8")
    check("CSV: 3 accepted", accepted(answer) == 3, answer)
    again = post(csv.encode(), "Content-Type: text/csv; charset=utf-8")
    check("sent again: the same receipt", again[2] == answer[2], again)
    one = json.dumps([curl.row(), curl.row(captured_at_ms="soon")]).encode()
    receipt = json.loads(post(one, json_type)[2])
    item = receipt["items"][0]
    check("a bad record spoils no other", receipt["accepted"] == 1 and item["field"] == "captured_at_ms", receipt)
    one = json.dumps([curl.row(), curl.row(rsrp_dbm=-300, network_type="LTE")]).encode()
    receipt = json.loads(post(one, json_type)[2])
    left = receipt["items"][0].get("left_out", [{}])[0]
    check("a bad value spoils no record", receipt["accepted"] == 2 and left.get("field") == "rsrp_dbm", receipt)


def refusals(curl):
    status, fields, body = curl("/v1/reports", "--request", "DELETE")
    check("405 says Allow", (status, fields.get("allow")) == (405, "POST"), (status, fields))
    problem = json.loads(body)
    check(
        "a refusal is a problem document",
        fields["content-type"] == "application/problem+json"
        and problem["type"] == "urn:nkul:problem:method_not_allowed" and problem["status"] == 405, problem)
    status, fields, _ = curl("/v1/me/consent", "--request", "OPTIONS")
    check("OPTIONS is told what there is", (status, fields.get("allow")) == (405, "GET, HEAD, PUT"), (status, fields))
    status, fields, body = curl("/v1/me/consent", named=False)
    check("401 says Bearer", (status, fields.get("www-authenticate")) == (401, "Bearer"), (status, fields))
    status, fields, _ = curl("/v1/reports", body=b"x", fields=["Content-Type: image/png"])
    check("415 says Accept", status == 415 and "text/csv" in fields.get("accept", ""), (status, fields))
    status, fields, _ = curl("/v1/reports", body=b"x", fields=["Content-Encoding: br", "Content-Type: text/csv"])
    check("415 says Accept-Encoding", (status, fields.get("accept-encoding")) == (415, "gzip, deflate"), (status, fields))
    status, *_ = curl("/v1/reports", "--request", "NKUL")
    check("an unknown method is not implemented", status == 501, status)


def documents(curl):
    status, fields, body = curl("/openapi.json", named=False)
    check("the document is there without a token", status == 200 and json.loads(body)["openapi"] == "3.1.0", status)
    status, head, none = curl("/openapi.json", "--head", named=False)
    check("HEAD is GET without body", status == 200 and b"openapi" not in none and head["content-length"] == str(len(body)), head)
    status, _, none = curl("/openapi.json", fields=[f"If-None-Match: {fields['etag']}"], named=False)
    check("what is known is not sent again", status == 304 and not none, status)
    status, fields, _ = curl("/v1/me/consent")
    check("what is about a device is not kept", (status, fields.get("cache-control")) == (200, "no-store"), fields)


def connections(curl):
    """One connection for several requests, and an old client that closes."""
    target = f"{curl.base}/openapi.json"
    done = subprocess.run(
        ["curl", "--silent", "--max-time", "20", "--write-out", "%{num_connects} ", *["--output", "/dev/null", target] * 5],
        capture_output=True, text=True)
    check("five requests, one connection", done.stdout.split() == ["1", "0", "0", "0", "0"], done)
    status, fields, _ = curl("/openapi.json", "--http1.0", named=False)
    check("HTTP/1.0 is answered and closed", (status, fields.get("connection")) == (200, "close"), fields)


def leavers(ingest, curl):
    """Who cuts the connection while it is looked up whose it is."""
    for number in range(1_000):
        with socket.create_connection(("127.0.0.1", ingest.port)) as client:
            # Closed by a reset, at once.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.sendall(
                f"POST /v1/reports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody{number}\r\n"
                "Content-Length: 10\r\n\r\n".encode())
    check("a thousand who leave in the middle harm nobody", curl("/v1/me/consent")[0] == 200)


def clients(configuration):
    """The exit code: 0 if every claim holds, 77 if there is no curl."""
    if not shutil.which("curl"):
        print("check-api: curl is missing")
        return 77
    with Ingest(configuration) as ingest, tempfile.TemporaryDirectory() as folder:
        curl = Curl(ingest, folder)
        for part in [bodies, refusals, documents, connections]:
            part(curl)
        leavers(ingest, curl)
    return 0
