import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { type RunAs, unprivilegedId } from './data-dir.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { runToEnd } from './postgres-process.ts'

/** The role the platform uses: owner of its database, no superuser. */
export const roleName = 'busbar'
export const databaseName = 'busbar'

const stagingPrefix = 'postgres.new-'

export function clusterDirOf(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/** Whether a database was ever made in this data folder. Throws where this user may not look. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  try {
    await stat(clusterDirOf(dataDir))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** The user who runs the server: this one, or, for root, the owner of existing data, otherwise `nobody`. */
export async function chooseRunAs(dataDir: string): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(clusterDirOf(dataDir)).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return { uid: unprivilegedId, gid: unprivilegedId }
}

/** The password of the platform's role, made once, in a file only we may read. */
export async function readOrMakePassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres-password')
  const known = await readPassword(dataDir)
  if (known) return known
  const password = randomBytes(24).toString('base64url')
  const part = `${file}.part-${process.pid}`
  await writeFile(part, `${password}\n`, { mode: 0o600, flush: true })
  await rename(part, file)
  return password
}

/** The password made earlier, if any. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(dataDir, 'postgres-password'), 'utf8')
    return text.trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Makes sure that there is a database cluster of our major version, owned by `runAs`. A new one is made in another
 * place and moved when it is complete, so that a kill leaves nothing incomplete.
 * @throws when the data was written by another major version, or is not PostgreSQL data at all
 */
export async function ensureCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  runAs: RunAs | undefined,
  password: string,
  durable: boolean,
): Promise<void> {
  await removeStaging(dataDir)
  const cluster = clusterDirOf(dataDir)
  const existing = await lstat(cluster).catch(() => undefined)
  if (!existing) return makeCluster(dataDir, binaries, runAs, password, durable)
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version === undefined) {
    throw new Error(
      `${cluster} is there but holds no PostgreSQL data that this user can read. ` +
        'If it belongs to another user, start as that user; otherwise move it away.',
    )
  }
  if (Number(version) !== binaries.majorVersion) {
    throw new Error(
      `The data in ${cluster} was written by PostgreSQL ${version.trim()}, and this Busbar brings PostgreSQL ` +
        `${binaries.majorVersion}. Make a backup with the Busbar that wrote it and restore it into an empty data folder.`,
    )
  }
  // A cold copy put back by root.
  if (runAs && existing.uid !== runAs.uid) await chownAll(cluster, runAs)
}

async function makeCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  runAs: RunAs | undefined,
  password: string,
  durable: boolean,
): Promise<void> {
  if (!runAs) requireUserName()
  const staging = join(dataDir, `${stagingPrefix}${randomBytes(6).toString('hex')}`)
  await mkdir(staging, { mode: 0o700 })
  if (runAs) await chown(staging, runAs.uid, runAs.gid)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const sync = durable ? [] : ['--no-sync']
  await runToEnd(
    binaries.initdb,
    ['-D', staging, '--username=postgres', '--auth=trust', '--no-instructions', ...locale, ...sync],
    { runAs, cwd: staging },
  )
  // The superuser keeps no password and so can never come in through the socket; who owns the machine uses
  // `postgres --single`.
  await writeFile(join(staging, 'pg_hba.conf'), 'local all all scram-sha-256\n')
  const statements = [
    `CREATE ROLE ${roleName} LOGIN CREATEDB PASSWORD '${password}'`,
    `CREATE DATABASE ${databaseName} OWNER ${roleName} STRATEGY file_copy`,
  ]
  await runToEnd(
    binaries.postgres,
    ['--single', '-j', '-D', staging, ...(durable ? [] : ['-F']), 'postgres'],
    {
      runAs,
      cwd: staging,
      // -j: a statement ends at a semicolon followed by an empty line.
      input: statements.map((statement) => `${statement};\n\n`).join(''),
      secret: password,
    },
  )
  await rename(staging, clusterDirOf(dataDir))
  if (durable) await syncFolder(dataDir)
}

/** initdb looks our user up and fails without a name, as in containers that run with an arbitrary user id. */
function requireUserName(): void {
  try {
    userInfo()
  } catch (cause) {
    throw new Error(
      `The user this runs as (uid ${process.getuid?.()}) has no name in /etc/passwd, and PostgreSQL makes no database ` +
        'for such a user. Give it a line there, or set DATABASE_URL to use a PostgreSQL of your own.',
      { cause },
    )
  }
}

async function removeStaging(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    // An initdb that outlived its platform may still be writing: try again.
    if (name.startsWith(stagingPrefix)) {
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    }
  }
}

/**
 * Makes the data folder, or closes one that has our database to other users; the server's user must be able to pass
 * through our folders, but not to list them.
 */
export async function ensureDataDir(dataDir: string, runAs: RunAs | undefined): Promise<void> {
  const firstMade = await mkdir(dirname(dataDir), { recursive: true })
  await mkdir(dataDir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  // A folder without our database may belong to others, for example /tmp.
  if (await holdsOurs(dataDir)) await closeToOthers(dataDir, runAs)
  if (!runAs) return
  await letPass(dataDir, runAs)
  if (!firstMade) return
  for (let dir = dirname(dataDir); dir.length >= firstMade.length; dir = dirname(dir))
    await letPass(dir, runAs)
}

/** Whether a folder contains a database of ours: a cluster, and its password. */
async function holdsOurs(dataDir: string): Promise<boolean> {
  const marks = [join(clusterDirOf(dataDir), 'PG_VERSION'), join(dataDir, 'postgres-password')]
  const found = await Promise.all(marks.map((mark) => lstat(mark).catch(() => undefined)))
  return found.every((mark) => mark?.isFile())
}

async function closeToOthers(dir: string, runAs: RunAs | undefined): Promise<void> {
  const { mode, uid } = await stat(dir)
  const own = process.getuid?.()
  const closed = mode & (runAs ? 0o711 : 0o700)
  if (closed !== (mode & 0o777) && (own === 0 || own === uid)) await chmod(dir, closed)
}

async function letPass(dir: string, runAs: RunAs): Promise<void> {
  const { mode, uid } = await stat(dir)
  if (uid !== runAs.uid && (mode & 0o001) === 0) await chmod(dir, (mode & 0o777) | 0o011)
}

async function chownAll(path: string, owner: RunAs): Promise<void> {
  await lchown(path, owner.uid, owner.gid)
  if (!(await lstat(path)).isDirectory()) return
  for (const name of await readdir(path)) await chownAll(join(path, name), owner)
}

async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
