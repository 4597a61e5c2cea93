import type { Use } from './kept-program.ts'

const megabyte = 2 ** 20
/**
 * How much more a process may hold after a run than before it, and than when it was seen first: code that is compiled
 * and buffers that are kept settle within it, a leak of each message or connection does not stay there for long.
 */
const moreMax = { heapBytes: 24 * megabyte, rssBytes: 96 * megabyte, files: 24 } as const

const first = new Map<number, Use>()

/** What a process keeps that it should have given back. Of one that was started anew nothing can be said. */
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
