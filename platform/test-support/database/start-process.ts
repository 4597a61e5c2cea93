import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresConnection } from '../../src/kernel/database/connection.ts'

export const quick = { fsync: 'off' }

export interface ServerProcess {
  child: ChildProcess
  /** The process number of the postmaster. */
  pid: number
  connection: PostgresConnection
}

/** Spawns `server-process.ts` and does not wait for it. */
export function spawnServerProcess(
  dataDir: string,
  options: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv; program?: string } = {},
): ChildProcess {
  const { program = join(import.meta.dirname, 'server-process.ts'), env = {}, ...ids } = options
  return spawn(process.execPath, [program, dataDir, JSON.stringify(quick)], {
    ...ids,
    cwd: '/',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** The same, ready. @throws with its reason when it could not start */
export async function startServerProcess(
  ...args: Parameters<typeof spawnServerProcess>
): Promise<ServerProcess> {
  const child = spawnServerProcess(...args)
  if (!child.stdout) throw new Error('the process has no output')
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const said = JSON.parse(line) as { event: string; reason?: string } & Omit<ServerProcess, 'child'>
  if (said.event !== 'ready') throw new Error(said.reason)
  return { child, pid: said.pid, connection: said.connection }
}

export async function endServerProcess({ child }: ServerProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}

/** A folder that anybody may pass through, as the data of different users needs it. */
export function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'busbar-server-'))
}

/** Resolves when the process is gone; zombies, which may never be collected, count as gone. */
export async function untilGone(pid: number): Promise<void> {
  while (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) await sleep(5)
}

/** Runs one statement on a separate connection. */
export async function ask(connection: PostgresConnection, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
