import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

interface Stat {
  readonly parent: number
  readonly seconds: number
  /** Of children that have ended and were waited for. */
  readonly endedChildrenSeconds: number
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may hold spaces and brackets: fields are counted from its last bracket.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (index: number) => Number(fields[index])
    return {
      parent: ticks(1),
      seconds: (ticks(11) + ticks(12)) / ticksPerSecond,
      endedChildrenSeconds: (ticks(13) + ticks(14)) / ticksPerSecond,
    }
  } catch {
    return undefined
  }
}

/** CPU seconds, user and system, that a process and its children have used. */
export function cpuSecondsOf(pid: number): number {
  const own = readStat(pid)
  if (!own) return 0
  let seconds = own.seconds + own.endedChildrenSeconds
  for (const name of readdirSync('/proc')) {
    const child = Number(name)
    if (!Number.isInteger(child)) continue
    const stat = readStat(child)
    if (stat?.parent === pid) seconds += stat.seconds
  }
  return seconds
}

/** The same of a process with everything below it, ended processes included. */
export function cpuSecondsOfTree(pid: number): number {
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined
    if (stat) stats.set(Number(name), stat)
  }
  let seconds = 0
  const below = [pid]
  for (let next = below.pop(); next !== undefined; next = below.pop()) {
    const stat = stats.get(next)
    if (stat) seconds += stat.seconds + stat.endedChildrenSeconds
    for (const [child, { parent }] of stats) if (parent === next) below.push(child)
  }
  return seconds
}

/** The median of what an 8 kB write and its fdatasync take in a folder, in milliseconds. */
export function measureFdatasyncMs(dir: string): number {
  const file = join(dir, 'fdatasync-probe')
  const fd = openSync(file, 'w')
  const page = Buffer.alloc(8192, 1)
  const took: number[] = []
  for (let round = 0; round < 200; round++) {
    writeSync(fd, page)
    const startedAt = performance.now()
    fdatasyncSync(fd)
    took.push(performance.now() - startedAt)
  }
  closeSync(fd)
  rmSync(file)
  return percentile(took, 50)
}

/** A percentile of numbers, by the nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
}
