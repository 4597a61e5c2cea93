#!/bin/sh
# Asks for the address of a visit, for one use within 60 seconds: <iframe src="ADDRESS"></iframe>. Needs curl and jq.
#
# BUSBAR_KEY=… sh embed.sh ACCOUNT MACHINE_CODE
set -eu

printf %s "$BUSBAR_KEY" |
  curl --silent --show-error "${BUSBAR_ADDRESS:-https://cloud.example.com}/api/project/getProjectMachineVisitUrl" \
    --data-urlencode privateKey@- --data-urlencode "account=$1" --data "machineCode=$2" --data platform=portal |
  jq -er '.hwdata.url // (.error.message | halt_error)'
