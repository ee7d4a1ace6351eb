"""What the programs that made a fixture say about it: the text that later programs are compared with."""
import json
import sqlite3
import subprocess
from datetime import datetime, timezone

ENGAGEMENT = "/v1/engagement?from=2026-02-15T00:00:00Z&to=2026-03-06T00:00:00Z"
HEATMAP = [("download_kbps", 16), ("download_kbps", 12), ("latency_ms", 8), ("rsrp_dbm", 14), ("rating", 10)]


def record(services, folder, secrets, now, backup_now):
    """Writes `expected/`: first what the files say, then what the services do, started at `now`."""
    folder.mkdir()
    secrets["regulator"] = (services.home / "keys/regulator.token").read_text().strip()
    write(folder, "access", secrets | {"now_ms": now, "backup_now_ms": backup_now})
    compress(folder / "dump.txt", services.nkul("nkul-batch-aggregator", "--dump"))
    write(folder, "ledger", ledger(services.home / "reward-dispatcher/state.sqlite"))
    write(folder, "positions", positions(services.home))
    services.set_clock(now)
    services.start()
    services.settle()
    answers(services, folder, secrets)
    services.stop()
    compress(folder / "dump-settled.txt", services.nkul("nkul-batch-aggregator", "--dump"))
    services.nkul("nkul-privacy-worker", "--verify")
    services.nkul("doctor")


def answers(services, folder, secrets):
    def ask(path, who):
        status, body = services.fetch(path, services.exporter, secrets[who])
        if status != 200:
            raise SystemExit(f"make-home: {path} for {who}: {status} {body}")
        return body

    for who in ("regulator", "art", "mtn"):
        compress(folder / f"raw-rows.{who}.csv", ask("/v1/reports.csv", who).decode())
    for who in ("regulator", "mtn"):
        write(folder, f"alarms.{who}", json.loads(ask("/v1/alarms", who))["alarms"])
        write(folder, f"engagement.{who}", json.loads(ask(ENGAGEMENT, who)))
        write(folder, f"heatmap.{who}", {
            f"{metric} {level}": heatmap(ask, metric, level, who) for metric, level in HEATMAP})
    write(folder, "erasures", json.loads(ask("/v1/erasures", "regulator"))["erasures"])
    for name, path in [("consents", "/v1/me/consent"), ("rewards", "/v1/me/rewards"), ("impact", "/v1/me/impact")]:
        write(folder, name, {
            device: json.loads(services.fetch(path, services.ingest, token)[1])
            for device, token in secrets["devices"].items()})
    write(folder, "prompt-policy", json.loads(services.fetch(
        "/v1/me/prompt-policy", services.ingest, next(iter(secrets["devices"].values())))[1]))
    copy = services.nkul("admin", "access", "show", secrets["copy"], "--json")
    write(folder, "access-request", json.loads(copy))


def heatmap(ask, metric, level, who):
    path = f"/v1/heatmap?metric={metric}&level={level}&from={ms('2026-02-15')}&to={ms('2026-03-06')}"
    features = json.loads(ask(path, who))["features"]
    return sorted(features, key=lambda feature: feature["properties"]["quadkey"])


def ledger(path):
    """Sums of the double entry, and how grants stand; read without the programs."""
    with sqlite3.connect(path) as books:
        accounts = books.execute("SELECT account, sum(sign * amount) FROM ledger_entries GROUP BY account")
        grants = books.execute("SELECT state, count(*), sum(amount) FROM grants GROUP BY state")
        return {"accounts": dict(accounts), "grants": {state: [count, sum] for state, count, sum in grants}}


def positions(home):
    """Where each lane ends and how far each reader has come, as its database says."""
    lanes, readers = {}, {}
    for path in sorted(home.glob("*/*.sqlite")):
        with sqlite3.connect(path) as database:
            tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                if table.startswith("lane_") and table.endswith("_state"):
                    row = database.execute(f"SELECT generation, head FROM {table}").fetchone()
                    lanes[table.removeprefix("lane_").removesuffix("_state")] = list(row)
            if "cursors" in tables:
                rows = database.execute("SELECT lane, generation, block FROM cursors")
                readers[path.parent.name] = {lane: [generation, block] for lane, generation, block in rows}
    return {"lanes": lanes, "readers": readers}


def record_backup(services, made, folder, now):
    """What a home is like that was made of the backup; `services` are on a home that is not there yet."""
    services.nkul(
        "restore", str(made / "backup.nkul"), "--home", str(services.home), "--identity", str(made / "backup.identity"),
        "--no-later-orders")
    services.set_clock(now)
    services.start()
    services.settle()
    token = (services.home / "keys/regulator.token").read_text().strip()
    compress(folder / "backup-rows.csv", services.fetch("/v1/reports.csv", services.exporter, token)[1].decode())
    services.stop()
    compress(folder / "backup-dump.txt", services.nkul("nkul-batch-aggregator", "--dump"))


def record_recording(services, made, folder):
    """What ingest takes of the recording; `services` are on an empty home."""
    services.start("ingest")
    played = json.loads(services.nkul("replay", str(made / "recording.csv.gz"), "--max", "--json"))
    services.stop()
    write(folder, "recording", {name: played[name] for name in ("rows", "accepted", "duplicates", "rejected")})


def ms(day):
    return int(datetime.fromisoformat(day).replace(tzinfo=timezone.utc).timestamp() * 1000)


def steady(document):
    """A document without what says when it was asked for."""
    if isinstance(document, dict):
        return {key: steady(value) for key, value in document.items() if key not in ("as_of", "as_of_ms")}
    return [steady(item) for item in document] if isinstance(document, list) else document


def write(folder, name, document):
    text = json.dumps(steady(document), indent=1, sort_keys=True, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n")


def compress(path, text):
    path.write_text(text)
    subprocess.run(["xz", "-9e", path], check=True)
