import { quantile, type Row } from '../src/report.ts'

export const megabyte = 1e6

/** A figure without a target. */
export function row(what: string, figure: string): Row {
  return { what, figure, target: '' }
}

export function showRange(rates: readonly number[] = []): string {
  const [least, most] = [Math.min(...rates), Math.max(...rates)]
  return `${quantile(rates, 0.5).toFixed(0)} MB/s (${least.toFixed(0)} to ${most.toFixed(0)})`
}

export function times(ratio: number): string {
  return `${ratio.toFixed(2)}×`
}

export function showMs(ms: number): string {
  return `${ms.toFixed(2)} ms`
}

export function showKilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} kB`
}
