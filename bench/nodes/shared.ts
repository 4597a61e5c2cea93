import { setTimeout as sleep } from 'node:timers/promises'
import { fleetCode, fleetSecret } from '../../e2e/src/fleet.ts'
import { quantile, type Row } from '../src/report.ts'
import { type BenchNodes, startBenchNodes } from './bench-nodes.ts'

const opensMsMax = 30_000

export const figure = (what: string, text: string): Row => ({ what, figure: text, target: '' })
export const median = (numbers: readonly number[]) => quantile(numbers, 0.5)
export const range = (numbers: readonly number[], digits = 1) =>
  `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)})`

export async function withNodes(measure: (nodes: BenchNodes) => Promise<Row[]>): Promise<Row[]> {
  const nodes = await startBenchNodes()
  try {
    return await measure(nodes)
  } finally {
    await nodes.stop()
  }
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + opensMsMax
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('what was waited for did not come')
    await sleep(20)
  }
}

export const labelsOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, place) => ({ code: fleetCode(from + place), secret: fleetSecret }))
