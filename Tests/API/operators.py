"""Runs schemathesis against the operators' API: over the document that it serves, or over TM Forum's of alarms."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from services import Services
from tmf642 import document

HERE = pathlib.Path(__file__).resolve().parent


def operators(options):
    """The exit code: 0 if every answer was as the documents say."""
    with Services(options.configuration) as services, tempfile.TemporaryDirectory() as folder:
        alarm = services.alarms[0]
        task = services.call(f"/v1/alarms/{alarm}/comment", {"text": "looked at"})["id"]
        order = services.call(
            "/tmf-api/alarmManagement/v4/ackAlarms",
            {"ackSystemId": "noc", "ackUserId": "ann", "alarmPattern": [{"id": alarm}]})["id"]
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
        failed = 0
        for arguments, seconds in runs:
            command = [
                pathlib.Path(sys.executable).with_name("schemathesis"),
                "--config-file", HERE / "operators.toml", "run", *arguments, "--seed", str(options.seed),
                "--max-time", str(seconds), "--no-color",
            ]
            done = subprocess.run(command, env=environment, cwd=folder, timeout=options.seconds + 120)
            failed += done.returncode != 0
    return 1 if failed else 0
