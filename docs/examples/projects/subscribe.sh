#!/bin/sh
# Prints the rows of a project as they come; the session keeps the place for 72 hours. Needs mosquitto's clients.
#
# BUSBAR_KEY=… sh subscribe.sh
set -eu

broker=${BUSBAR_MQTT:-mqtts://cloud.example.com:8883}
project=${BUSBAR_PROJECT:-4711}

exec mosquitto_sub -L "${broker%%://*}://$project:$BUSBAR_KEY@${broker#*://}/data/$project/#" \
  --id erp-1 --disable-clean-session --qos 1
