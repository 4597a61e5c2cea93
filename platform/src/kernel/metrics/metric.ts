import type { Distributed } from './histogram.ts'

/** Label names and their values. Only labels with few values: never a machine, a person or an address. */
export type Labels = Readonly<Record<string, string>>

/** One time series of a counter or a gauge. */
export interface Sample {
  readonly labels?: Labels
  readonly value: number
}

/** One time series of a histogram. */
export interface Distribution {
  readonly labels?: Labels
  readonly histogram: Distributed
}

/** One metric family in Prometheus' terms; units are base units and part of the name. */
export type Metric =
  | {
      readonly name: string
      readonly help: string
      readonly type: 'counter' | 'gauge'
      readonly samples: readonly Sample[]
    }
  | {
      readonly name: string
      readonly help: string
      readonly type: 'histogram'
      readonly distributions: readonly Distribution[]
    }

export type Samples = number | readonly Sample[]

const toSamples = (samples: Samples): readonly Sample[] =>
  typeof samples === 'number' ? [{ value: samples }] : samples

/** A value that goes up and down. */
export function gauge(name: string, help: string, samples: Samples): Metric {
  return { name, help, type: 'gauge', samples: toSamples(samples) }
}

/** A value that only grows while the process lives; the name ends in `_total`. */
export function counter(name: string, help: string, samples: Samples): Metric {
  return { name, help, type: 'counter', samples: toSamples(samples) }
}

/** The length of one queue; the queues of all modules are one metric. */
export function queueLength(queue: string, length: number): Metric {
  return gauge('busbar_queue_length', 'What waits to be written', [{ labels: { queue }, value: length }])
}

/** A distribution of observations. */
export function histogram(
  name: string,
  help: string,
  distributions: Distributed | readonly Distribution[],
): Metric {
  const list = 'bounds' in distributions ? [{ histogram: distributions }] : distributions
  return { name, help, type: 'histogram', distributions: list }
}

/** Prometheus' text format 0.0.4. A family without series is left out. */
export function formatMetrics(metrics: readonly Metric[]): string {
  const lines: string[] = []
  for (const metric of metrics) {
    const { name, help, type } = metric
    const count = metric.type === 'histogram' ? metric.distributions.length : metric.samples.length
    if (count === 0) continue
    lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`)
    if (metric.type === 'histogram') {
      for (const distribution of metric.distributions) pushDistribution(lines, name, distribution)
    } else {
      for (const { labels, value } of metric.samples) lines.push(`${name}${formatLabels(labels)} ${value}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function pushDistribution(lines: string[], name: string, { labels, histogram }: Distribution): void {
  const own = labels ? `${formatPairs(labels)},` : ''
  let below = 0
  histogram.bounds.forEach((bound, index) => {
    below += histogram.counts[index] ?? 0
    lines.push(`${name}_bucket{${own}le="${bound}"} ${below}`)
  })
  lines.push(
    `${name}_bucket{${own}le="+Inf"} ${histogram.count}`,
    `${name}_sum${formatLabels(labels)} ${histogram.sum}`,
    `${name}_count${formatLabels(labels)} ${histogram.count}`,
  )
}

const formatLabels = (labels: Labels | undefined): string => (labels ? `{${formatPairs(labels)}}` : '')

const formatPairs = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeValue(value)}"`)
    .join(',')

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')
