"""Prints the rows of a project as they come; the session keeps the place for 72 hours. Needs `pip install paho-mqtt`.

BUSBAR_KEY=… python3 subscribe.py
"""

import os
from urllib.parse import urlsplit

from paho.mqtt.client import CallbackAPIVersion, Client

BROKER = urlsplit(os.environ.get("BUSBAR_MQTT", "mqtts://cloud.example.com:8883"))
PROJECT = os.environ.get("BUSBAR_PROJECT", "4711")

client = Client(CallbackAPIVersion.VERSION2, client_id="erp-1", clean_session=False)
client.username_pw_set(PROJECT, os.environ["BUSBAR_KEY"])
if BROKER.scheme == "mqtts":
    client.tls_set()
client.on_connect = lambda *_: client.subscribe(f"data/{PROJECT}/#", qos=1)
# A row is acknowledged when this returns: until then it comes again.
client.on_message = lambda _client, _data, message: print(message.payload.decode(), flush=True)
client.connect(BROKER.hostname, BROKER.port)
client.loop_forever()
