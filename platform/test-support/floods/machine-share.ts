import { readFile } from 'node:fs/promises'

/** The running time of a process, and the time it was ready and waited for a core, in nanoseconds. */
interface Spent {
  readonly ran: number
  readonly waited: number
}

/** Undefined if the system does not report it. */
async function readSpent(pid: number): Promise<Spent | undefined> {
  try {
    const [ran = 0, waited = 0] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ').map(Number)
    return { ran, waited }
  } catch {
    return undefined
  }
}

/**
 * Begins to measure how many times longer a process takes because others have the cores; 1: it has one for itself. Only
 * its main thread counts, which is the event loop.
 */
export async function measureShare(pid: number): Promise<() => Promise<number>> {
  const from = await readSpent(pid)
  return async () => {
    const to = await readSpent(pid)
    if (!from || !to || to.ran === from.ran) return 1
    return 1 + (to.waited - from.waited) / (to.ran - from.ran)
  }
}
