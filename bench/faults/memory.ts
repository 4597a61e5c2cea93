import type { Use } from './kept-program.ts'

const megabyte = 2 ** 20
/**
 * The allowed growth of a process over a run, and since it was first measured: compiled code and kept buffers
 * fit within it, a leak per message or connection soon does not.
 */
const moreMax = { heapBytes: 24 * megabyte, rssBytes: 96 * megabyte, files: 24 } as const

const first = new Map<number, Use>()

/** Resources that a process should have released. After a restart they cannot be compared. */
export function checkMemory(name: string, before: Use, after: Use): string[] {
  if (before.pid !== after.pid || !before.held || !after.held) return []
  const violations: string[] = []
  const seenFirst = first.get(after.pid) ?? before
  first.set(after.pid, seenFirst)
  const compare = (what: string, of: (use: Use) => number, max: number, show: (value: number) => string) => {
    const least = Math.min(of(before), of(seenFirst))
    if (of(after) > least + max)
      violations.push(`${what} of the ${name} went from ${show(least)} to ${show(of(after))}`)
  }
  const mb = (bytes: number) => `${(bytes / megabyte).toFixed(0)} MB`
  compare('the heap', (use) => (use.held?.heapUsed ?? 0) + (use.held?.external ?? 0), moreMax.heapBytes, mb)
  compare('the resident memory', (use) => use.rss, moreMax.rssBytes, mb)
  compare('the open files', (use) => use.files, moreMax.files, String)
  return violations
}
