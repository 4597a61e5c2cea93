#!/bin/sh
# A package's life on a machine of its own: this machine's files, with everything that is written thrown away at the end.
# Run by package.test.ts as root in a mount namespace. Told over stdin when the cloud has seen enough.
#   package-story.sh PACKAGE BROKER_PORT
set -eu

if [ "${INSIDE:-}" != 1 ]; then
  work=$(mktemp -d)
  mount --make-rprivate /
  mount -t tmpfs tmpfs "$work"
  mkdir "$work/upper" "$work/scratch" "$work/root"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/scratch" "$work/root"
  mount --rbind /proc "$work/root/proc"
  mount --rbind /dev "$work/root/dev"
  status=0
  INSIDE=1 chroot "$work/root" /bin/sh "$0" "$@" || status=$?
  umount -l "$work/root" "$work"
  rmdir "$work"
  exit $status
fi

package=$1
broker_port=$2
unit=/usr/lib/systemd/system/busbar-agent.service
state=/var/lib/busbar-agent
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

say() { echo "STORY $*"; }
setting() { sed -n "s/^$1=//p" "$unit"; }

# What systemd does with this unit at a boot, as far as it can be done without systemd.
boot() {
  secret=$(setting ConditionFileNotEmpty)
  if [ ! -s "$secret" ]; then
    say skipped
    return
  fi
  user=$(setting User)
  install -d -m "$(setting StateDirectoryMode)" -o "$user" -g "$(setting Group)" "/var/lib/$(setting StateDirectory)"
  # shellcheck disable=SC2046
  STATE_DIRECTORY="/var/lib/$(setting StateDirectory)" setpriv --reuid="$user" --regid="$(setting Group)" --init-groups \
    --no-new-privs --bounding-set=-all $(setting ExecStart) </dev/null >>/var/log/agent.log 2>&1 &
  agent=$!
}
# A shutdown: asked to stop, then killed.
shut_down() {
  kill -TERM "$agent"
  (sleep "$(setting TimeoutStopSec)" && kill -KILL "$agent") 2>/dev/null &
  killer=$!
  code=0
  wait "$agent" || code=$?
  kill "$killer" 2>/dev/null || true
  say "stopped $code"
}
power_cut() {
  kill -KILL "$agent"
  wait "$agent" || true
}
queued() { du -sb "$state" | cut -f1; }
await_queue_over() {
  tries=0
  while [ "$(queued)" -le "$1" ]; do
    tries=$((tries + 1))
    if [ $tries -gt 300 ] || ! kill -0 "$agent"; then
      say "no queue"
      cat /var/log/agent.log
      exit 1
    fi
    sleep 0.1
  done
}

dpkg -i "$package" >/dev/null
say "installed $(dpkg-query -f '${Status}' -W busbar-agent)"
say "user $(id -gn busbar-agent) $(getent passwd busbar-agent | cut -d: -f7)"
say "config $(stat -c '%a %U:%G' /etc/busbar-agent /etc/busbar-agent/agent.yaml /etc/busbar-agent/secret | tr '\n' ' ')"
say "remote $(grep -E '^(# )?(remote|networks):' /etc/busbar-agent/agent.yaml | tr '\n' ' ')"
say "enabled $(readlink /etc/systemd/system/multi-user.target.wants/busbar-agent.service)"
say "node $(setpriv --reuid=busbar-agent --regid=busbar-agent --clear-groups /usr/lib/busbar-agent/node --version)"
boot

cat >/etc/busbar-agent/agent.yaml <<YAML
cloud: { url: "mqtt://127.0.0.1:$broker_port", code: "1000000000000000001", secretFile: secret }
connections:
  - name: trial
    driver: simulated
    pollIntervalMs: 100
    tags:
      - { name: pieces, type: int64, signal: { kind: counter, start: 0, step: 1, periodMs: 100 } }
YAML
echo secret-of-the-machine >/etc/busbar-agent/secret

boot
await_queue_over 2000
shut_down
first=$(queued)
say "first-boot-ended $(date +%s%3N)"
say "state $(stat -c '%a %U:%G' $state)"

boot
await_queue_over "$first"
power_cut

# An upgrade keeps what was configured; the scripts may run again at any time.
dpkg -i "$package" >/dev/null
/var/lib/dpkg/info/busbar-agent.postinst configure 0.0.1
say "kept $(grep -c "$broker_port" /etc/busbar-agent/agent.yaml) $(cat /etc/busbar-agent/secret) $(stat -c '%a %U:%G' /etc/busbar-agent/secret)"
dpkg --verify busbar-agent | grep . && say "files changed"

boot
say cloud
read -r _
shut_down

dpkg --remove busbar-agent >/dev/null
say "removed $(ls -d /usr/lib/busbar-agent /etc/busbar-agent/agent.yaml /etc/busbar-agent/secret $state 2>/dev/null | tr '\n' ' ')"
dpkg --purge busbar-agent >/dev/null

# A first installation with answers.
debconf-set-selections <<SELECTIONS
busbar-agent busbar-agent/remote boolean true
busbar-agent busbar-agent/networks string 192.168.1.0/24, fd00::/64
SELECTIONS
dpkg -i "$package" >/dev/null
say "answered $(base64 -w0 /etc/busbar-agent/agent.yaml)"
dpkg --purge busbar-agent >/dev/null
say "purged $(find /etc /usr/bin /usr/lib /usr/share/doc /var/lib -xdev -maxdepth 4 -name '*busbar-agent*' | tr '\n' ' ')"
say end
