"""The first version of the app, kept on phones by its service worker, beside the server of today."""

import http.client
import http.server
import io
import pathlib
import tarfile
import threading

ARCHIVE = pathlib.Path(__file__).resolve().parent / "first-app.tar.gz"
TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html", "svg": "image/svg+xml",
         "webmanifest": "application/manifest+json"}


def first_app():
    """Path and bytes of each file, as the server served them."""
    files = {}
    with tarfile.open(fileobj=io.BytesIO(ARCHIVE.read_bytes())) as archive:
        for member in archive:
            if member.isfile() and not member.name.startswith("policy/"):
                files["/" + member.name] = archive.extractfile(member).read()
    files["/"] = files.pop("/index.html")
    files["/worker.js"] = files["/worker.js"].replace(b"__VERSION__", b"first")
    return files


class Upgrade:
    """An address at which first the old app is served, and after `upgrade()` all that the server has. Calls always go to the server."""

    def __init__(self, server):
        files, upgraded = first_app(), threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                path = self.path.split("?")[0]
                if path in files and not upgraded.is_set():
                    return self.reply(200, [("Content-Type", TYPES[path.rsplit(".", 1)[-1] if "." in path else "html"]),
                                            ("Cache-Control", "no-cache")], files[path])
                self.forward()

            def forward(self):
                connection = http.client.HTTPConnection(server, timeout=30)
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {key: value for key, value in self.headers.items() if key.lower() not in ("host", "connection")}
                connection.request(self.command, self.path, body or None, headers)
                answer = connection.getresponse()
                kept = [(key, value) for key, value in answer.getheaders()
                        if key.lower() not in ("content-length", "connection", "transfer-encoding")]
                self.reply(answer.status, kept, answer.read())
                connection.close()

            do_POST = do_PUT = do_DELETE = forward

            def reply(self, status, headers, body):
                self.send_response_only(status)
                for key, value in headers:
                    self.send_header(key, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.listener.server_address[1]}/"
        self.upgrade = upgraded.set
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def close(self):
        self.listener.shutdown()
        self.listener.server_close()


def meets_an_older_app(walk):
    """A phone has the first app; the server is of today, and then its app is, too."""
    upgrade = Upgrade(walk.house.environment["NKUL_INGEST_HTTP"])
    person = walk.arrive("clara", url=upgrade.url)
    names = "caches.keys().then((names) => names.join())"
    try:
        person.begins("measurement", "rewards")
        person.controlled()
        walk.claim("an older app is kept by its own worker", person.soon(lambda: person.page.evaluate(names) == "nkul-first"),
                   person.page.evaluate(names))
        before = walk.accepted()
        person.context.set_offline(True)
        answer(person, 2)
        person.context.set_offline(False)
        walk.claim("an older app's answers are taken by a newer server, also what was kept",
                   person.soon(lambda: not person.unsent() and walk.accepted() == before + 1, 20), walk.accepted() - before)
        upgrade.upgrade()
        person.open()
        answer(person, 3)
        walk.claim("beside a newer app on the server the older one goes on", person.soon(lambda: walk.accepted() == before + 2))
        walk.claim("the newer app comes by itself, whole, and in the place of the older one", person.soon(
            lambda: "first" not in person.page.evaluate(names) and person.page.evaluate(names).count("nkul-") == 1, 20),
            person.page.evaluate(names))
        person.page.reload()
        person.page.wait_for_selector("#stars:visible")
        walk.claim("it has what the older one kept", person.page.evaluate("nkul.store.get('token')") is not None
                   and "/#speed" in person.page.evaluate("[...document.links].map((link) => link.href).join()"))
        answer(person, 4)
        walk.claim("and sends", person.soon(lambda: walk.accepted() == before + 3))
        walk.calm(person, "an older app beside a newer server")
    finally:
        person.context.close()
        upgrade.close()


def answer(person, star):
    person.tap(f"#stars button:nth-child({star})")
    person.tap("#send")
    person.soon(lambda: not person.page.is_visible("#details"))
