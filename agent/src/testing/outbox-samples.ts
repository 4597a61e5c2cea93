import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Sample } from '../tag.ts'
import { buildSample } from './builders.ts'

/** A folder for one test. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-outbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Samples with the values `from` to `to`, one per second from `firstAt` on. */
export function buildSamples(from: number, to: number, firstAt = 1_760_000_000_000): Sample[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    return buildSample({ value: from + index, at: firstAt + (from + index) * 1_000 })
  })
}

/** The values in short: `1-3,7` for 1, 2, 3, 7. */
export function formatValues(samples: readonly Sample[]): string {
  const parts: [number, number][] = []
  for (const { value } of samples) {
    const last = parts.at(-1)
    if (last && value === last[1] + 1) last[1]++
    else parts.push([Number(value), Number(value)])
  }
  return parts.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
