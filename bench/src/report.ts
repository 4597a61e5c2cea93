import { cpus, totalmem } from 'node:os'

/** A line of a result's table. */
export interface Row {
  readonly what: string
  readonly figure: string
  readonly target: string
  /** Undefined without a target. */
  readonly met?: boolean
}

/** Prints results as rows of Markdown, ready for RESULTS.md. */
export function printRows(rows: readonly Row[]): void {
  console.log('\n| what | figure | target | |\n|---|---|---|---|')
  for (const { what, figure, target, met } of rows) {
    console.log(
      `| ${what} | ${figure} | ${target} | ${met === undefined ? '' : met ? 'met' : '**missed**'} |`,
    )
  }
}

/** The hardware and software of the measurement. */
export function describeMachine(): string {
  const [cpu] = cpus()
  return `${cpus().length} cores of ${cpu?.model.trim() ?? 'an unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, Node ${process.versions.node}`
}

/** The median of times with the lowest and the highest. */
export const showTimes = (ms: readonly number[]): string =>
  `${quantile(ms, 0.5).toFixed(1)} ms (${Math.min(...ms).toFixed(1)} to ${Math.max(...ms).toFixed(1)})`

/** The p-th quantile (0 to 1) of numbers, by the nearest rank. NaN without numbers. */
export function quantile(numbers: readonly number[], p: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN
}
