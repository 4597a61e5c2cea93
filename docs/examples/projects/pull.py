"""Pulls the rows of a project and prints each; the file `cursor` remembers the place.

BUSBAR_KEY=… python3 pull.py
"""

import base64
import json
import os
import pathlib
import sys
import urllib.error
import urllib.parse
import urllib.request

ADDRESS = os.environ.get("BUSBAR_ADDRESS", "https://cloud.example.com")
PROJECT = os.environ.get("BUSBAR_PROJECT", "4711")
LOGIN = base64.b64encode(f"{PROJECT}:{os.environ['BUSBAR_KEY']}".encode()).decode()
PLACE = pathlib.Path("cursor")


def pull(cursor):
    # The platform waits up to 10 s for a first row.
    query = {"wait": 10, "limit": 1000} | ({"cursor": cursor} if cursor else {})
    request = urllib.request.Request(
        f"{ADDRESS}/api/project/v1/data?{urllib.parse.urlencode(query)}",
        headers={"authorization": f"Basic {LOGIN}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        return json.load(refusal)


cursor = PLACE.read_text() if PLACE.exists() else ""
while True:
    answer = pull(cursor)
    if "error" in answer:
        print(answer["error"]["message"], file=sys.stderr)
        # After CURSOR_TOO_OLD the rows in between are in history only: from this cursor on they come again.
        if answer["hwreason"] != "CURSOR_TOO_OLD":
            sys.exit(1)
    for row in answer["hwdata"].get("rows", []):
        print(json.dumps(row, ensure_ascii=False), flush=True)
    cursor = answer["hwdata"]["cursor"]
    # Kept after the rows are stored: at the next start none is missing.
    PLACE.write_text(cursor)
