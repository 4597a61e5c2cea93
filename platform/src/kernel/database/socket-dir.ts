import { createHash, randomBytes } from 'node:crypto'
import { chmod, chown, lstat, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunAs } from './data-dir.ts'

export const socketPort = 5432
/** `sockaddr_un.sun_path` has 108 bytes, the last one zero. */
const socketPathBytesMax = 107

/**
 * Makes the folder of the server's socket, open to its user only: `<dataDir>/run`, or, where that path is too long
 * for a socket, a folder of our own under the system's temporary one.
 */
export async function makeSocketDir(dataDir: string, runAs: RunAs | undefined): Promise<string> {
  const name = `busbar-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
  const others = [
    join(tmpdir(), name),
    join('/tmp', name),
    join('/tmp', `${name}-${randomBytes(4).toString('hex')}`),
  ]
  for (const dir of [join(dataDir, 'run'), ...others]) {
    if (socketPathBytes(dir) <= socketPathBytesMax && (await claim(dir, runAs))) return dir
  }
  throw new Error(`There is no folder for PostgreSQL's socket: tried ${dataDir}/run and ${others.join(', ')}`)
}

/**
 * Removes the lock of a socket whose server is gone. PostgreSQL would respect it as long as a process has its number: a
 * zombie, or another program. Only for the holder of the data folder's lock, after it has ended the server.
 */
export async function removeStaleSocketLock(dir: string): Promise<void> {
  await rm(join(dir, `.s.PGSQL.${socketPort}.lock`), { force: true })
}

function socketPathBytes(dir: string): number {
  return Buffer.byteLength(join(dir, `.s.PGSQL.${socketPort}`))
}

/**
 * In a folder that everybody may write to, another user may have made it first: a folder of another owner is not used.
 */
async function claim(dir: string, runAs: RunAs | undefined): Promise<boolean> {
  const owner = runAs ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  try {
    await mkdir(dir, { mode: 0o700 })
    await chown(dir, owner.uid, owner.gid)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
  }
  const found = await lstat(dir)
  if (!found.isDirectory() || found.uid !== owner.uid) return false
  if ((found.mode & 0o777) !== 0o700) await chmod(dir, 0o700)
  return true
}
