import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { promisify } from 'node:util'

/** A program that listens on a port of this computer. */
export interface PortHolder {
  readonly pid: number
  /** As the system names it. */
  readonly name: string
}

const waitMs = 5_000
const bytesMax = 4 * 1024 * 1024
const run = promisify(execFile)

/** The program that holds a port; undefined where the system does not tell this user. */
export async function findHolder(
  system: NodeJS.Platform,
  address: string,
  port: number,
): Promise<PortHolder | undefined> {
  const read = async ([program = '', ...args]: readonly string[]) =>
    (await run(program, args, { timeout: waitMs, maxBuffer: bytesMax, windowsHide: true })).stdout
  try {
    if (system === 'linux') return findOnLinux(address, port)
    if (system === 'darwin') return readLsof(await read(lsofCommand(port)))
    if (system !== 'win32') return undefined
    const pid = readNetstat(await read(netstatCommand), port)
    return pid === undefined ? undefined : readTasklist(await read(tasklistCommand(pid)))
  } catch {
    // The command is missing, or answers in a form of its own.
    return undefined
  }
}

function findOnLinux(address: string, port: number): PortHolder | undefined {
  const tables = ['tcp', 'tcp6'].map((name) => tryTo(() => readFileSync(`/proc/net/${name}`, 'utf8')) ?? '')
  const inodes = tables.flatMap((table) => readSockets(table, address, port))
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`))
  if (sockets.size === 0) return undefined
  // Tens of thousands of files without a disk: one by one by the pool of threads this takes seconds.
  // Files of other users' processes cannot be listed, and a process may end meanwhile.
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    for (const file of tryTo(() => readdirSync(`/proc/${pid}/fd`)) ?? [])
      if (sockets.has(tryTo(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? '')) {
        const name = tryTo(() => readFileSync(`/proc/${pid}/comm`, 'utf8')) ?? ''
        return { pid: Number(pid), name: name.trim() }
      }
  return undefined
}

function tryTo<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The inodes of sockets that listen on the port, at the address or at all (proc_pid_net(5): tcp, tcp6). */
export function readSockets(table: string, address: string, port: number): string[] {
  const tail = port.toString(16).toUpperCase().padStart(4, '0')
  const places = new Set([wordOf('0.0.0.0'), '0'.repeat(32), ...(isIPv4(address) ? [wordOf(address)] : [])])
  if (address === '::1') places.add(`${'0'.repeat(24)}01000000`)
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    const [place = '', digits] = local.split(':')
    return state === '0A' && digits === tail && places.has(place) && inode ? [inode] : []
  })
}

/** An IPv4 address as a word of a computer with the low byte first. */
const wordOf = (address: string): string =>
  address
    .split('.')
    .reverse()
    .map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'))
    .join('')

export const lsofCommand = (port: number): string[] => [
  'lsof',
  '-nP',
  `-iTCP:${port}`,
  '-sTCP:LISTEN',
  '-Fpc',
]

/** Fields of lsof, one a line: `p` the process, `c` its command. */
export function readLsof(text: string): PortHolder | undefined {
  const pid = /^p(\d+)$/m.exec(text)?.[1]
  return pid === undefined ? undefined : { pid: Number(pid), name: /^c(.*)$/m.exec(text)?.[1] ?? '' }
}

export const netstatCommand = ['netstat', '-ano', '-p', 'TCP'] as const

/** The process that listens on a port: the word for it depends on the language, so it is told by the foreign address. */
export function readNetstat(text: string, port: number): number | undefined {
  for (const line of text.split('\n')) {
    const [protocol, local = '', foreign, , pid] = line.trim().split(/\s+/)
    if (
      protocol === 'TCP' &&
      foreign === '0.0.0.0:0' &&
      local.endsWith(`:${port}`) &&
      /^\d+$/.test(pid ?? '')
    )
      return Number(pid)
  }
  return undefined
}

export const tasklistCommand = (pid: number): string[] => [
  'tasklist',
  '/FI',
  `PID eq ${pid}`,
  '/FO',
  'CSV',
  '/NH',
]

export function readTasklist(text: string): PortHolder | undefined {
  const [, name = '', pid] = /^"([^"]*)","(\d+)"/m.exec(text) ?? []
  return pid === undefined ? undefined : { pid: Number(pid), name }
}
