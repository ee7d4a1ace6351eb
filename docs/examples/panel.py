#!/usr/bin/env python3
"""An alarm panel to try NKUL_INGEST_DC09 with, by the Python package my-dc09-spt (pip install my-dc09-spt).

    python3 panel.py 127.0.0.1:10000 1234 --zone 5               an alarm of zone 5 of account 1234 (ADM-CID)
    python3 panel.py 127.0.0.1:10000 1234 --zone 5 --restore     it is over
    python3 panel.py 127.0.0.1:10000 1234 --zone 5 --sia --key 00112233445566778899aabbccddeeff     SIA-DCS, encrypted
    python3 panel.py 127.0.0.1:10000 1234                        is anybody there? (NULL)

Prints the receiver's answer: ACK, NAK or DUH. docs/sites.md says what each means.
"""
import argparse
import random
import socket

from my_dc09_spt.msg.dc03_msg import dc03_msg
from my_dc09_spt.msg.dc05_msg import dc05_msg
from my_dc09_spt.msg.dc09_msg import dc09_msg

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("receiver")
parser.add_argument("account")
parser.add_argument("--zone")
parser.add_argument("--restore", action="store_true")
parser.add_argument("--sia", action="store_true")
parser.add_argument("--key")
options = parser.parse_args()

key = bytes.fromhex(options.key) if options.key else None
panel = dc09_msg(options.account, key=key, line=0)
number = random.randint(1, 9999)
if options.zone is None:
    block = panel.dc09block(number)
elif options.sia:
    event = {"code": "BR" if options.restore else "BA", "zone": options.zone, "area": "1"}
    block = panel.dc09block(number, "SIA-DCS", dc03_msg.dc03event(options.account, event))
else:
    event = {"code": "130", "q": "3" if options.restore else "1", "zone": options.zone, "area": "1"}
    block = panel.dc09block(number, "ADM-CID", dc05_msg.dc05event(options.account, event))
host, port = options.receiver.rsplit(":", 1)
with socket.create_connection((host, int(port)), 5) as connection:
    connection.sendall(block.encode())
    answer = b""
    while not answer.endswith(b"\r"):
        more = connection.recv(4096)
        if not more:
            break
        answer += more
print(panel.dc09answer(number, answer.decode())[0] if answer else "no answer")
