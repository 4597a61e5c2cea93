import type { Metric } from './metric.ts'

/** Joins families of the same name into one, at the place of the first: Prometheus refuses a family in two pieces. */
export function joinMetrics(metrics: readonly Metric[]): Metric[] {
  const byName = new Map<string, Metric>()
  for (const metric of metrics) {
    const before = byName.get(metric.name)
    byName.set(metric.name, before ? join(before, metric) : metric)
  }
  return [...byName.values()]
}

function join(one: Metric, other: Metric): Metric {
  if (one.type === 'histogram' && other.type === 'histogram')
    return { ...one, distributions: [...one.distributions, ...other.distributions] }
  if (one.type !== 'histogram' && one.type === other.type)
    return { ...one, samples: [...one.samples, ...other.samples] }
  throw new Error(`The metric ${one.name} has two types.`)
}
