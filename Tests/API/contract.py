"""Runs schemathesis against an nkul-ingest of its own."""

import os
import pathlib
import subprocess
import sys
import tempfile

from ingest import Ingest

HERE = pathlib.Path(__file__).resolve().parent
# Limits of a device would answer most of what is sent here; they have tests of their own.
NO_LIMITS = {"NKUL_INGEST_DEVICE_CALLS_PER_MINUTE": "0", "NKUL_INGEST_DEVICE_ROWS_PER_MINUTE": "0"}
PURPOSES = ["measurement", "location_precise", "call_events", "rewards", "operator_sharing", "research"]


def contract(options):
    """The exit code: 0 if every answer was as the document says."""
    with Ingest(options.configuration, **NO_LIMITS) as ingest, tempfile.TemporaryDirectory() as folder:
        # The token goes by the environment: command lines can be read by others.
        token = ingest.enrol(purposes=PURPOSES)
        environment = os.environ | {
            "SCHEMATHESIS_HOOKS": "hooks",
            "PYTHONPATH": str(HERE),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NKUL_API_TOKEN": token,
            "NKUL_API_KEY": ingest.upload_key(token),
            # What this one allows is changed all the time.
            "NKUL_API_CONSENT_TOKEN": ingest.enrol(purposes=PURPOSES),
            # This one is erased.
            "NKUL_API_ERASURE_TOKEN": ingest.enrol(purposes=PURPOSES),
        }
        command = [
            pathlib.Path(sys.executable).with_name("schemathesis"),
            "--config-file", HERE / "schemathesis.toml", "run", f"http://{ingest.address}/openapi.json",
            "--seed", str(options.seed), "--max-time", str(options.seconds), "--no-color",
        ]
        done = subprocess.run(command, env=environment, cwd=folder, timeout=options.seconds + 120)
    return 1 if done.returncode else 0
