#!/bin/sh
# Runs a setup line as root on a machine of its own: this machine's programs and network, with everything that is written
# thrown away at the end, and without a service manager. Run in a mount namespace.
#   setup-line.sh LINE
set -eu

if [ "${INSIDE:-}" != 1 ]; then
  work=$(mktemp -d)
  mount --make-rprivate /
  mount -t tmpfs tmpfs "$work"
  mkdir "$work/upper" "$work/scratch" "$work/root"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/scratch" "$work/root"
  mount --rbind /proc "$work/root/proc"
  mount --rbind /dev "$work/root/dev"
  mount -t tmpfs tmpfs "$work/root/run"
  mount -t tmpfs tmpfs "$work/root/tmp"
  cp "$0" "$work/root/tmp/setup-line.sh"
  INSIDE=1 exec chroot "$work/root" /bin/sh /tmp/setup-line.sh "$@"
fi

# Nothing of this machine's own agent, if it has one.
rm -rf /etc/busbar-agent /opt/busbar-agent /var/lib/busbar-agent /usr/local/bin/busbar-agent
cd /
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C sh -c "$1"
