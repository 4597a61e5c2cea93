"""Receives the rows of a project: verifies every request, and prints every row once.

BUSBAR_SECRET=whsec_… python3 receiver.py
"""

import base64
import gzip
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode(os.environ["BUSBAR_SECRET"].removeprefix("whsec_"))
TOLERANCE_S = 300


def is_genuine(headers, body):
    """Tells by the rules of Standard Webhooks whether the platform sent this body now."""
    message_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > TOLERANCE_S:
        return False
    signed = f"{message_id}.{sent_at}.".encode() + body
    wanted = b"v1," + base64.b64encode(hmac.digest(SECRET, signed, hashlib.sha256))
    # While the secret is changed there is a signature for each of the two.
    signatures = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(wanted, signature) for signature in signatures)


def store(rows):
    """The place for your own database. An answer of 2xx means that these rows are yours."""
    for row in rows:
        print(json.dumps(row, ensure_ascii=False), flush=True)


# The same request comes again where an answer was lost. Your database would keep these ids with the rows.
received = set()


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if not is_genuine(self.headers, body):
            return self.answer(401)
        if self.headers["webhook-id"] not in received:
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            is_lines = self.headers.get("content-type", "").startswith("application/x-ndjson")
            store([json.loads(line) for line in body.splitlines()] if is_lines else json.loads(body))
            received.add(self.headers["webhook-id"])
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver).serve_forever()
