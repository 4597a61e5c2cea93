/** A family of the text format, as Prometheus would take it in. */
export interface ParsedFamily {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** By the series as it stands there: name and labels. */
  readonly series: Map<string, number>
}

const metricName = /^[a-z][a-z0-9_]*$/
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const labelPair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(,|$)/y

/**
 * Reads Prometheus' text format 0.0.4 and refuses everything that Prometheus or its linter would: HELP and TYPE once
 * and before the samples, families in one piece, names and units by convention, histograms that add up.
 * @throws with the line at fault
 */
export function parseExposition(text: string): Map<string, ParsedFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, ParsedFamily>()
  let helped: string | undefined
  let current: [string, ParsedFamily] | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${line}`)
    }
    const help = /^# HELP (\S+) (.+)$/.exec(line)
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)
    if (help) {
      helped = help[1]
    } else if (type) {
      const [, name = '', kind] = type
      if (helped !== name) fail('TYPE without its HELP before it')
      if (families.has(name)) fail('a family in two pieces')
      checkName(name, kind ?? '')
      current = [name, { type: kind as ParsedFamily['type'], series: new Map() }]
      families.set(...current)
    } else {
      const sample = sampleLine.exec(line)
      if (!sample) return fail('neither a comment nor a sample')
      const [, name = '', labels, value = ''] = sample
      if (!current || !belongs(name, ...current)) return fail('a sample outside its family')
      if (labels !== undefined) checkLabels(labels, fail)
      if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) fail('no number')
      const key = labels === undefined ? name : `${name}{${labels}}`
      if (current[1].series.has(key)) fail('a series twice')
      current[1].series.set(key, Number(value))
    }
  }
  for (const [name, family] of families) {
    if (family.series.size === 0) throw new Error(`${name} has no samples`)
    if (family.type === 'histogram') checkHistogram(name, family)
    if (family.type === 'counter' && [...family.series.values()].some((value) => value < 0))
      throw new Error(`${name} is below zero`)
  }
  return families
}

function checkName(name: string, type: string): void {
  if (!metricName.test(name)) throw new Error(`${name}: not a name by convention`)
  if ((type === 'counter') !== name.endsWith('_total'))
    throw new Error(`${name}: counters alone end in _total`)
  if (/_(ms|milliseconds|minutes|kb|mb|percent)(_|$)/.test(name)) throw new Error(`${name}: not a base unit`)
  if (type === 'histogram' && !/_(seconds|bytes)$/.test(name))
    throw new Error(`${name}: a histogram without its unit`)
}

const belongs = (name: string, family: string, { type }: ParsedFamily): boolean =>
  type === 'histogram'
    ? [`${family}_bucket`, `${family}_sum`, `${family}_count`].includes(name)
    : name === family

function checkLabels(text: string, fail: (why: string) => never): void {
  const names = new Set<string>()
  labelPair.lastIndex = 0
  let at = 0
  while (at < text.length) {
    const pair = labelPair.exec(text)
    const [, name = ''] = pair ?? fail('labels that are not well formed')
    if (names.has(name) || name.startsWith('__')) fail('a label twice, or reserved')
    names.add(name)
    at = labelPair.lastIndex
  }
  if (text === '' || text.endsWith(',')) fail('labels that are not well formed')
}

/** Buckets of each series grow, end with +Inf, and that is `_count`. */
function checkHistogram(name: string, { series }: ParsedFamily): void {
  const counts = new Map<string, { values: number[]; bounds: number[] }>()
  for (const [key, value] of series) {
    const bucket = /^\w+_bucket\{(?:(.*),)?le="([^"]+)"\}$/.exec(key)
    if (key.startsWith(`${name}_bucket`) && !bucket) throw new Error(`${key}: a bucket without le at its end`)
    if (!bucket) continue
    const [, labels = '', bound = ''] = bucket
    const own = counts.get(labels) ?? { values: [], bounds: [] }
    counts.set(labels, own)
    own.values.push(value)
    own.bounds.push(bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound))
  }
  for (const [labels, { values, bounds }] of counts) {
    const suffix = labels === '' ? '' : `{${labels}}`
    const rises = (list: number[], strictly: boolean) =>
      list.every(
        (value, place) =>
          place === 0 || value > (list[place - 1] ?? 0) || (!strictly && value === list[place - 1]),
      )
    if (!rises(bounds, true) || bounds.at(-1) !== Number.POSITIVE_INFINITY)
      throw new Error(`${name}${suffix}: bounds`)
    if (!rises(values, false)) throw new Error(`${name}${suffix}: buckets that shrink`)
    if (series.get(`${name}_count${suffix}`) !== values.at(-1))
      throw new Error(`${name}${suffix}: _count is not +Inf`)
    if (!series.has(`${name}_sum${suffix}`)) throw new Error(`${name}${suffix}: no _sum`)
  }
}
