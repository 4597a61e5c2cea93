#!/bin/sh
# Installs the agent of this folder into /opt/busbar-agent, as `busbar-agent`. Run as root; run again, it brings another
# version. It changes nothing in /etc/busbar-agent.
set -eu

from=$(dirname "$(readlink -f "$0")")
to=/opt/busbar-agent
user=busbar-agent
unit=/etc/systemd/system/busbar-agent.service

if [ "$(id -u)" != 0 ]; then
  echo 'Run it as root.' >&2
  exit 1
fi
# Node needs it, and it is missing in the smallest systems.
if ! "$from/node" --version >/dev/null; then
  echo 'This Node does not run here. On Debian and Ubuntu: apt-get install libatomic1 libstdc++6' >&2
  exit 1
fi

if ! grep -q "^$user:" /etc/passwd; then
  if command -v useradd >/dev/null; then
    useradd --system --user-group --home-dir /var/lib/busbar-agent --no-create-home --shell /usr/sbin/nologin "$user"
  else
    addgroup -S "$user"
    adduser -S -D -H -h /var/lib/busbar-agent -s /sbin/nologin -G "$user" "$user"
  fi
fi
install -d -m 0750 -o root -g "$user" /etc/busbar-agent
install -d -m 0700 -o "$user" -g "$user" /var/lib/busbar-agent

# Aside and then in place: an agent that runs keeps its files until it is started again.
rm -rf "$to.new" "$to.old"
cp -R "$from" "$to.new"
if [ -e "$to" ]; then mv "$to" "$to.old"; fi
mv "$to.new" "$to"
rm -rf "$to.old"
install -d /usr/local/bin
ln -sf "$to/busbar-agent" /usr/local/bin/busbar-agent

if [ -d /run/systemd/system ]; then
  sed 's|/usr/bin/busbar-agent|/usr/local/bin/busbar-agent|; s|^Documentation=.*||' "$from/busbar-agent.service" >"$unit"
  systemctl daemon-reload
  systemctl enable --quiet busbar-agent.service
  if [ -s /etc/busbar-agent/secret ]; then systemctl restart busbar-agent.service; fi
fi
