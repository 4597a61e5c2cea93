#!/bin/sh
# Pulls the rows of a project and prints each; the file `cursor` remembers the place. Needs curl and jq.
#
# BUSBAR_KEY=… sh pull.sh
set -eu

address=${BUSBAR_ADDRESS:-https://cloud.example.com}
project=${BUSBAR_PROJECT:-4711}
cursor=$(cat cursor 2>/dev/null || true)

while true; do
  # The platform waits up to 10 s for a first row.
  answer=$(printf 'user = "%s:%s"' "$project" "$BUSBAR_KEY" |
    curl --silent --show-error --compressed --config - --get "$address/api/project/v1/data" \
      --data wait=10 --data limit=1000 ${cursor:+--data-urlencode "cursor=$cursor"})
  case $(printf %s "$answer" | jq -r .hwreason) in
    OK) printf %s "$answer" | jq -c '.hwdata.rows[]' ;;
    # The rows in between are in history only: from this cursor on they come again.
    CURSOR_TOO_OLD) printf %s "$answer" | jq -r .error.message >&2 ;;
    *)
      printf %s "$answer" | jq -r .error.message >&2
      exit 1
      ;;
  esac
  # Kept after the rows are stored: at the next start none is missing.
  cursor=$(printf %s "$answer" | jq -r .hwdata.cursor)
  printf %s "$cursor" >cursor
done
