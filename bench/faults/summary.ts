import { printRows, quantile, type Row } from '../src/report.ts'
import type { Recovery, RunResult } from './run.ts'

const megabyte = 2 ** 20

/** Prints the results of the runs, as rows for RESULTS.md, and how to repeat each failed one. */
export function printSummary(results: readonly RunResult[], commandOf: (seed: number) => string): void {
  const skipped = results.filter((result) => result.skipped !== undefined)
  const run = results.filter((result) => result.skipped === undefined)
  const failed = run.filter((result) => result.violations.length > 0)
  const sum = (of: (result: RunResult) => number | undefined) =>
    run.reduce((total, result) => total + (of(result) ?? 0), 0)
  const times = (of: keyof Recovery): string => {
    const ms = run.flatMap((result) => result.recovery?.[of] ?? [])
    const s = (p: number) => (quantile(ms, p) / 1000).toFixed(1)
    return `p50 ${s(0.5)} s, p95 ${s(0.95)} s, longest ${s(1)} s`
  }
  const rss = run.flatMap((result) => result.memory?.platform.rss ?? [])
  const rows: Row[] = [
    { what: 'runs', figure: `${run.length}, skipped ${skipped.length}`, target: '' },
    { what: 'runs that broke a rule', figure: String(failed.length), target: '0', met: failed.length === 0 },
    {
      what: 'values acknowledged',
      figure: sum((result) => result.acknowledged).toLocaleString('en'),
      target: '',
    },
    { what: 'values the agent read', figure: sum((result) => result.reads).toLocaleString('en'), target: '' },
    {
      what: 'requests, and rows, that the project’s system got again',
      figure: `${sum((result) => result.repeats)}, ${sum((result) => result.rowsAgain)}`,
      target: '',
    },
    { what: 'faults’ end to ready', figure: times('ready'), target: '≤ 10 s' },
    { what: 'to every client’s new publish acknowledged', figure: times('clients'), target: '≤ 10 s' },
    { what: 'to the agent’s fresh value', figure: times('agent'), target: '≤ 10 s and its pause' },
    {
      what: 'to the agent’s fresh value on a push socket',
      figure: times('watcher'),
      target: '≤ 10 s and its pause',
    },
    {
      what: 'platform, resident after a run: median, most',
      figure: `${(quantile(rss, 0.5) / megabyte).toFixed(0)} MB, ${(quantile(rss, 1) / megabyte).toFixed(0)} MB`,
      target: '',
    },
  ]
  printRows(rows)
  for (const { seed, skipped: why, what } of skipped) console.log(`skipped, seed ${seed} (${what}): ${why}`)
  for (const { seed, what, violations } of failed) {
    console.log(`\nseed ${seed}: ${what}\n${violations.map((line) => `  - ${line}`).join('\n')}`)
    console.log(`  again: ${commandOf(seed)}`)
  }
}
