#!/bin/sh
# Verifies one request by the rules of Standard Webhooks: its three headers, and its body as it came.
#
# BUSBAR_SECRET=whsec_… sh verify.sh WEBHOOK_ID WEBHOOK_TIMESTAMP WEBHOOK_SIGNATURE < body
set -eu

age=$(($(date +%s) - $2))
if [ "${age#-}" -gt 300 ]; then
  echo 'older than 5 minutes' >&2
  exit 1
fi

key=$(printf %s "${BUSBAR_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
wanted=v1,$({ printf '%s.%s.' "$1" "$2" && cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)

# While the secret is changed there is a signature for each of the two.
for signature in $3; do
  if [ "$signature" = "$wanted" ]; then
    echo genuine
    exit 0
  fi
done
echo 'another signature' >&2
exit 1
