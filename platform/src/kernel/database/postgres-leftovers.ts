import { readdir, readFile, readlink, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../logger.ts'

const pollIntervalMs = 20
/** Time that a server left over from a killed platform gets for each way of ending it. */
const endMsMax = { SIGINT: 10_000, SIGQUIT: 5_000, SIGKILL: 5_000 } as const

/**
 * Ends a server that outlived its platform, and makes a stale `postmaster.pid` harmless. Only for the holder of the
 * folder's lock: then nobody else can be using that server.
 */
export async function endLeftoverServer(clusterDir: string, logger: Logger): Promise<void> {
  const file = join(clusterDir, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const pid = Number(text?.split('\n')[0])
  if (text === undefined || !Number.isInteger(pid) || pid <= 1) return

  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!(await runsIn(pid, clusterDir))) break
    logger.warn({ pid, signal: name }, 'postgres.leftoverStopped')
    signal(pid, name)
    for (let waitedMs = 0; waitedMs < endMsMax[name]; waitedMs += pollIntervalMs) {
      await sleep(pollIntervalMs)
      if (!(await runsIn(pid, clusterDir))) break
    }
  }

  // The number may belong to another process by now (in a container it nearly always does), and PostgreSQL would refuse
  // to start. It treats its parent's number as stale. The rest of the file must stay: with it PostgreSQL finds the
  // shared memory that orphaned backends may still be using.
  const left = await readFile(file, 'utf8').catch(() => undefined)
  if (left?.startsWith(`${pid}\n`) && isAlive(pid)) {
    await writeFile(file, `${process.pid}${left.slice(String(pid).length)}`)
  }
}

/** The processes whose working folder is `dir`; a PostgreSQL's are all in its data folder. */
export async function listProcessesIn(dir: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc').catch(() => [])) {
    const pid = Number(name)
    if (Number.isInteger(pid) && (await runsIn(pid, dir))) found.push(pid)
  }
  return found
}

/** Sends a signal; a process that is gone already is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The working folder of a zombie cannot be read, so it counts as gone. */
async function runsIn(pid: number, dir: string): Promise<boolean> {
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return cwd !== undefined && cwd === (await realpath(dir).catch(() => undefined))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
