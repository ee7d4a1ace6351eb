#!/usr/bin/python3
"""Follows an alert endpoint and misses nothing: subscriber.py KEYFILE [PREFIX]. Needs pyzmq; see ../asyncapi.yaml."""
import json, sys, time, zlib, zmq
keys = json.load(open(sys.argv[1]))  # keys/regulator.alerts.json, or what "tenant add --json" printed
prefix = sys.argv[2] if len(sys.argv) > 2 else "alerts/"

def connect(kind, endpoint):
    socket = zmq.Context.instance().socket(kind)
    socket.linger, socket.reconnect_ivl_max, socket.heartbeat_ivl, socket.heartbeat_timeout = 0, 2000, 2000, 8000
    if keys.get("curve", True):
        socket.curve_serverkey = keys["server_public_key"].encode()
        socket.curve_publickey = keys["client_public_key"].encode()
        socket.curve_secretkey = keys["client_secret_key"].encode()
    socket.connect(endpoint)
    return socket

live, replay = connect(zmq.SUB, keys["alerts_pub"]), connect(zmq.DEALER, keys["alerts_replay"])
live.subscribe("alerts/heartbeat")
live.subscribe(prefix)
complete = 0              # every message up to this number has been handled; keep it where your program keeps its state
handled = set()           # numbers above it that have been handled too
asked = ahead = None      # when REPLAY was last asked; since when heartbeats have been ahead

def handle(topic, header, body):
    seq = json.loads(header)["seq"]
    if seq > complete and seq not in handled:
        handled.add(seq)
        alarm = json.loads(zlib.decompress(body))
        print(seq, topic.decode(), alarm["specificProblem"], alarm["devices"], "devices", flush=True)

while True:
    if asked is None or (ahead and time.monotonic() - max(ahead, asked) > 2):
        replay.send_multipart([b"REPLAY", str(complete).encode(), prefix.encode()])
        asked, ahead = time.monotonic(), None
    if live.poll(100):
        topic, header, body = live.recv_multipart()
        if topic != b"alerts/heartbeat":
            handle(topic, header, body)
        else:
            ahead = (ahead or time.monotonic()) if json.loads(header)["seq"] > complete else None
    while replay.poll(0):
        frames = replay.recv_multipart()
        if frames[0] == b"END":
            complete = max(complete, int(frames[1]))
        elif len(frames) == 3:
            handle(*frames)
    while complete + 1 in handled:
        complete += 1
    handled = {seq for seq in handled if seq > complete}
