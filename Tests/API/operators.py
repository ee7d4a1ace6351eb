"""Runs schemathesis against the operators' API: over the document that it serves, or over TM Forum's of alarms."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.error

from services import Services
from tmf642 import document

HERE = pathlib.Path(__file__).resolve().parent


# What is there when the calls begin; paths and documents name it.
DOCUMENTS = {
    "/v1/sites/12": {"name": "Quay", "zone": "Africa/Douala", "devices": [1]},
    "/v1/sensors/7": {"site": 12, "name": "Gate contact"},
    "/v1/doors/3": {"site": 12, "name": "Gate", "device": 1},
    "/v1/keys/ann": {"door": 3, "contact": "ann", "schedule": [{"from": "00:00", "to": "24:00"}]},
    "/v1/channels/mail": {"kind": "email", "to": "noc@example.org"},
    "/v1/schedules/noc": {
        "zone": "UTC", "shifts": [{"days": ["mon"], "from": "08:00", "to": "17:00", "contact": "ann"}]},
}


def braked(services):
    """Whether wrong tokens are 401, and 429 with a time to wait after some; a right one is answered all the same."""
    codes = []
    for _ in range(8):
        try:
            services.call("/v1/status", token="wrong")
        except urllib.error.HTTPError as error:
            codes.append((error.code, error.headers.get("Retry-After")))
    services.call("/v1/status")
    holds = codes[0] == (401, None) and codes[-1][0] == 429 and int(codes[-1][1]) > 0 and len(codes) == 8
    print(f"wrong tokens: {'refused, and slowed down' if holds else codes}")
    return holds


def operators(options):
    """The exit code: 0 if every answer was as the documents say."""
    with Services(options.configuration) as services, tempfile.TemporaryDirectory() as folder:
        alarm = services.alarms[0]
        task = services.call(f"/v1/alarms/{alarm}/comment", {"text": "looked at"})["id"]
        order = services.call(
            "/tmf-api/alarmManagement/v4/ackAlarms",
            {"ackSystemId": "noc", "ackUserId": "ann", "alarmPattern": [{"id": alarm}]})["id"]
        for path, thing in DOCUMENTS.items():
            services.call(path, thing, method="PUT")
        # Tokens go by the environment: command lines can be read by others.
        environment = os.environ | {
            "SCHEMATHESIS_HOOKS": "operator_hooks", "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1",
            "NKUL_API_TOKEN": services.token, "NKUL_API_REGULATOR": services.regulator,
            "NKUL_API_THINGS": json.dumps({"alarms": services.alarms, "task": task, "order": order}),
        }
        tmf = pathlib.Path(folder) / "tmf642.json"
        tmf.write_text(json.dumps(document()))
        base = f"http://{services.address}"
        # The stream of alarms does not end; its suite is AlarmStreamTests.
        runs = [
            ([f"{base}/openapi.json", "--exclude-path", "/v1/alarms/stream"], options.seconds * 2 // 3),
            ([tmf, "--url", f"{base}/tmf-api/alarmManagement/v4"], options.seconds // 3),
        ]
        failed = 0 if braked(services) else 1
        for arguments, seconds in runs:
            command = [
                pathlib.Path(sys.executable).with_name("schemathesis"),
                "--config-file", HERE / "operators.toml", "run", *arguments, "--seed", str(options.seed),
                "--max-time", str(seconds), "--no-color",
            ]
            done = subprocess.run(command, env=environment, cwd=folder, timeout=options.seconds + 120)
            failed += done.returncode != 0
    return 1 if failed else 0
