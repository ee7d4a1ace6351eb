"""Who is told: servers on loopback that keep what they get."""

import base64
import hashlib
import hmac
import http.server
import json
import pathlib
import shutil
import signal
import subprocess
import threading
import time

import http_ece
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

KEY = "a-secret-of-the-check"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Web:
    """One HTTP server for the webhook, Alertmanager's notifications and the push service."""

    def __init__(self):
        self.hooks, self.notified, self.pushed, self.faults = [], [], [], []
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.auth = bytes(range(16))
        self.vapid = None
        self.down = False
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = 500
                try:
                    status = outer.take(self.path, self.headers, body)
                except Exception as error:
                    outer.faults.append(f"{self.path}: {error!r}")
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def subscription(self):
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": f"{self.url}/push", "p256dh": b64(point), "auth": b64(self.auth)}

    def take(self, path, headers, body):
        if path == "/hook":
            if self.down:
                return 503
            fields = dict(part.split("=", 1) for part in headers["Nkul-Signature"].split(","))
            wanted = hmac.new(KEY.encode(), f"{fields['t']}.".encode() + body, hashlib.sha256).hexdigest()
            assert hmac.compare_digest(wanted, fields["v1"]), "signature"
            assert abs(time.time() - int(fields["t"])) < 60, "time"
            document = json.loads(body)
            assert document["delivery"] == headers["Nkul-Delivery"]
            self.hooks.append(document)
            return 200
        if path == "/notified":
            self.notified += [(alert["status"], alert["labels"]["alarm"]) for alert in json.loads(body)["alerts"]]
            return 200
        if path == "/push":
            text = http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth, version="aes128gcm")
            assert headers["TTL"].isdigit() and headers["Urgency"] and len(headers["Topic"]) == 32
            assert Vapid02.verify(headers["Authorization"]), "vapid"
            assert headers["Authorization"].endswith(f"k={self.vapid}"), "key"
            self.pushed.append(json.loads(text))
            return 201
        return 404


class Mail:
    """aiosmtpd, which takes nothing without STARTTLS."""

    def __init__(self, folder):
        import ssl

        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder / "mail.key", "-out", folder / "mail.pem"],
            check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "mail.pem", folder / "mail.key")
        self.messages = []
        outer = self

        class Handler:
            async def handle_DATA(self, server, session, envelope):
                assert session.ssl is not None
                outer.messages.append(envelope)
                return "250 taken"

        self.controller = Controller(
            Handler(), hostname="127.0.0.1", port=free_port(), tls_context=context, require_starttls=True)
        self.controller.start()
        self.port, self.certificate = self.controller.port, folder / "mail.pem"


class Alertmanager:
    """Debian's, with a resolve_timeout that is shorter than everything here."""

    def __init__(self, folder, web):
        self.folder, self.port = folder, free_port()
        (folder / "am.yml").write_text(
            "global: {resolve_timeout: 4s}\n"
            "route: {receiver: check, group_by: [alarm], group_wait: 1s, group_interval: 1s, repeat_interval: 4h}\n"
            f"receivers: [{{name: check, webhook_configs: [{{url: '{web.url}/notified', send_resolved: true}}]}}]\n")
        self.start()

    def start(self):
        program = shutil.which("prometheus-alertmanager")
        log = open(self.folder / "am.log", "a")
        self.process = subprocess.Popen(
            [program, f"--config.file={self.folder}/am.yml", f"--storage.path={self.folder}/am",
             f"--web.listen-address=127.0.0.1:{self.port}", "--cluster.listen-address=", "--data.maintenance-interval=2s"],
            stdout=log, stderr=log)

    def restart(self):
        self.process.terminate()
        self.process.wait()
        self.start()

    def alerts(self):
        shown = subprocess.run(
            ["amtool", "alert", "query", f"--alertmanager.url=http://127.0.0.1:{self.port}", "-o", "json"],
            capture_output=True, text=True)
        return json.loads(shown.stdout or "[]") if shown.returncode == 0 else []

    def stop(self):
        self.process.send_signal(signal.SIGKILL)


def free_port():
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
