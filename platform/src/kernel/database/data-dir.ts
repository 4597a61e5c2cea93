import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** PostgreSQL refuses to run as root; a platform started by root runs it as this user and group (nobody). */
export const unprivilegedId = 65534

/** A user and group to run a child as; undefined: as ourselves. */
export interface RunAs {
  uid: number
  gid: number
}

/**
 * The folder of a checkout's data: `<checkout>/data`, unless we are root and the unprivileged user of PostgreSQL may
 * not enter the checkout (say, under /root); then `/var/lib/busbar-<hash of the path>`, which is the same at every
 * start.
 */
export function chooseDataDir(checkoutDir: string, uid = process.getuid?.()): string {
  const checkout = resolve(checkoutDir)
  if (uid !== 0 || mayEnter(checkout, { uid: unprivilegedId, gid: unprivilegedId }))
    return join(checkout, 'data')
  const hash = createHash('sha256').update(checkout).digest('hex').slice(0, 12)
  return `/var/lib/busbar-${hash}`
}

/** The file of a data folder that each backup touches, so that metrics know how old the last one is. */
export const backupNoteOf = (dataDir: string): string => join(dataDir, 'last-backup')

/**
 * Whether that user may enter the folder, or the nearest parent that exists. Uses the kernel's check: modes alone miss
 * ACLs.
 */
export function mayEnter(dir: string, runAs: RunAs): boolean {
  let existing = resolve(dir)
  while (!existsSync(existing)) existing = dirname(existing)
  const asked = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', existing], {
    ...runAs,
    cwd: '/',
    stdio: 'ignore',
  })
  return asked.status === 0
}
