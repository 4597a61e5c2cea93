import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { readList, readNumber, readObject, readOneOf, readText } from './checked-json.ts'
import { isPrivate } from './interfaces.ts'
import type { Mode } from './model.ts'
import { configFolder, type Place } from './session-file.ts'

/** A program of this user that has ports open, as it lies in the user's own folder. */
export interface RunningOpen {
  readonly pid: number
  /** Epoch milliseconds. */
  readonly since: number
  readonly machine: string
  readonly mode: Mode
  /** An address that the program added to the loopback interface. */
  readonly added: string | null
  readonly ports: readonly { readonly name: string; readonly address: string }[]
}

const bytesMax = 64 * 1024
const filesMax = 1_000
/** Clocks and the start of a system are told apart no better. */
const slackMs = 60_000

const folderOf = (place: Place): string => join(configFolder(place), 'open')
const pathOf = (place: Place, pid: number): string => join(folderOf(place), `${pid}.json`)

export async function writeOpen(place: Place, open: RunningOpen): Promise<void> {
  await mkdir(folderOf(place), { recursive: true, mode: 0o700 })
  const path = pathOf(place, open.pid)
  const aside = `${path}.new`
  await rm(aside, { force: true })
  await writeFile(aside, `${JSON.stringify(open)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(aside, path)
}

export const removeOpen = (place: Place, pid: number): Promise<void> =>
  rm(pathOf(place, pid), { force: true })

/** Those that run, and those whose program ended without removing its file; a file that is damaged is removed. */
export async function listOpens(place: Place): Promise<{ live: RunningOpen[]; dead: RunningOpen[] }> {
  const names = await readdir(folderOf(place)).catch(() => [])
  const found: RunningOpen[] = []
  for (const name of names.filter((one) => /^\d{1,10}\.json$/.test(one)).slice(0, filesMax)) {
    const path = join(folderOf(place), name)
    const open = await readOpen(path).catch(() => undefined)
    if (open && `${open.pid}.json` === name) found.push(open)
    else await rm(path, { force: true }).catch(() => undefined)
  }
  found.sort((a, b) => a.since - b.since)
  return { live: found.filter(isLive), dead: found.filter((open) => !isLive(open)) }
}

async function readOpen(path: string): Promise<RunningOpen> {
  if ((await stat(path)).size > bytesMax) throw new Error('a long file')
  const fields = readObject(JSON.parse(await readFile(path, 'utf8')))
  const added = fields.added === null ? null : readText(fields.added)
  if (added !== null && !isPrivate(added)) throw new Error('a wrong address')
  return {
    pid: readNumber(fields.pid),
    since: readNumber(fields.since),
    machine: readText(fields.machine),
    mode: readOneOf(fields.mode, ['ro', 'rw']),
    added,
    ports: readList(fields.ports, (item) => {
      const port = readObject(item)
      return { name: readText(port.name), address: readText(port.address) }
    }),
  }
}

/** After a start of the system its number may be that of another process. */
function isLive({ pid, since }: RunningOpen): boolean {
  if (since < Date.now() - uptime() * 1_000 - slackMs) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, with an administrator's rights.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
