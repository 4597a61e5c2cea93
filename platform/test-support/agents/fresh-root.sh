#!/bin/sh
# Runs a script of stdin in a root of its own: this machine's files, with everything that is written thrown away at the end.
# Started as root in a mount and process namespace.
#   fresh-root.sh ARGUMENT…
set -eu

work=$(mktemp -d)
mount --make-rprivate /
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/scratch" "$work/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/scratch" "$work/root"
mount --rbind /proc "$work/root/proc"
mount --rbind /dev "$work/root/dev"
status=0
chroot "$work/root" /bin/sh -s -- "$@" || status=$?
umount -l "$work/root" "$work"
rmdir "$work"
exit $status
