import { readdirSync, readFileSync } from 'node:fs'
import { clusterDirOf } from '@busbar/platform/kernel/database/postgres-cluster.ts'
import { listProcessesIn } from '@busbar/platform/kernel/database/postgres-leftovers.ts'

/** Number of files that a process has open. */
export const countFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** Bytes of all processes of the PostgreSQL on a data folder; shared memory is counted once. */
export async function measurePostgres(dataDir: string): Promise<number> {
  let kilobytes = 0
  for (const pid of await listProcessesIn(clusterDirOf(dataDir))) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      kilobytes += Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0)
    } catch {
      // It has ended in the meantime.
    }
  }
  return kilobytes * 1024
}
