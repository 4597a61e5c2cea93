"""A portal's page with a device in it. The key stays on your server: a browser gets an address for one use only.

BUSBAR_KEY=… BUSBAR_ACCOUNT=… BUSBAR_MACHINE=… python3 embed.py
"""

import html
import json
import os
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ADDRESS = os.environ.get("BUSBAR_ADDRESS", "https://cloud.example.com")


def ask_for_visit(account, machine_code):
    """The address of a visit of the named member, for one use within 60 seconds."""
    form = {
        "privateKey": os.environ["BUSBAR_KEY"],
        "account": account,
        "machineCode": machine_code,
        "platform": "portal",
    }
    call = f"{ADDRESS}/api/project/getProjectMachineVisitUrl"
    with urllib.request.urlopen(call, urllib.parse.urlencode(form).encode(), timeout=30) as response:
        answer = json.load(response)
    if "error" in answer:
        raise RuntimeError(answer["error"]["message"])
    return answer["hwdata"]["url"]


class Portal(BaseHTTPRequestHandler):
    # Behind your own sign-in and https: browsers show the frame only in a page that came by https.
    def do_GET(self):
        url = html.escape(ask_for_visit(os.environ["BUSBAR_ACCOUNT"], os.environ["BUSBAR_MACHINE"]))
        page = f'<!doctype html><iframe src="{url}" allow="fullscreen" width="1024" height="640"></iframe>'
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Portal).serve_forever()
