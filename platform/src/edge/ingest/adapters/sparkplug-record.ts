import {
  metricValue,
  placeAttributes,
  propertyKey,
  propertyValue,
  type SparkplugAlias,
  type SparkplugMetric,
  type SparkplugValue,
} from '@busbar/link'
import { cleanText } from '../../../kernel/storable-text.ts'
import {
  isTimeBelieved,
  qualityNumber,
  type TagType,
  typeOfJson,
  type UplinkRecord,
} from '../../../modules/telemetry/index.ts'
import { Notes } from './notes.ts'
import { instantOf } from './read-time.ts'
import {
  alarmOf,
  definitionOf,
  type KnownMetric,
  knownMetricOf,
  lostOf,
  tagTypeOf,
} from './sparkplug-metric.ts'
import { bdSeqOf } from './sparkplug-payload.ts'

/** The metrics that one birth announced, by alias and by name. */
export interface Scope {
  readonly byAlias: Map<SparkplugAlias, KnownMetric>
  readonly byName: Map<string, KnownMetric>
}

type Attributes = Record<string, string | number | boolean | object>

/** The attributes and notes of the metrics of one message, beside their records. */
export class Beside {
  readonly attributes: Attributes = {}
  readonly notes = new Notes()
}

/** Reads the metrics of a birth one after the other. The result depends on the birth alone. */
export class BirthReading {
  readonly scope: Scope = { byAlias: new Map(), byName: new Map() }
  readonly records: UplinkRecord[] = []
  readonly beside = new Beside()
  /** The number that ties a death to this birth; undefined if the node leaves it out. */
  bdSeq: bigint | undefined
  /** Metrics of a kind that is not stored. */
  unstored = 0
  readonly #device: string
  readonly #sentAt: number | undefined
  readonly #isRight: boolean

  /** `device` is empty for the node's own birth. */
  constructor(device: string, timestamp: number | undefined, now: number) {
    this.#device = device
    this.#sentAt = timestamp === undefined ? undefined : instantOf(timestamp)
    this.#isRight = this.#sentAt !== undefined && isTimeBelieved(this.#sentAt, false, now)
  }

  add(metric: SparkplugMetric): void {
    const { name, alias } = metric
    if (name === undefined) {
      this.beside.notes.add('a metric of a birth has no name: not stored')
      return
    }
    this.bdSeq ??= bdSeqOf(metric)
    const known = knownMetricOf(name, this.#device, metric)
    this.scope.byName.set(name, known)
    if (alias !== undefined) this.scope.byAlias.set(alias, known)
    if (known.kind === 'tag' && known.type === undefined) this.unstored++
    const definition = definitionOf(known, metric, this.beside.notes)
    if (definition) this.records.push(definition)
    // A wrong clock cannot show since when an alarm is active.
    const isUntimed = known.kind === 'alarm' && !this.#isRight
    const record = isUntimed
      ? recordOf(known, withoutTime(metric), undefined, true, this.beside)
      : recordOf(known, metric, this.#sentAt, true, this.beside)
    if (record) this.records.push(record)
  }
}

/** The record of a metric beside its definition; attributes and notes are added to `beside`. `sentAt` is its payload's time. */
export function recordOf(
  known: KnownMetric,
  metric: SparkplugMetric,
  sentAt: number | undefined,
  isBirth: boolean,
  { attributes, notes }: Beside,
): UplinkRecord | undefined {
  if (known.kind === 'lost') return lostOf(metric, notes)
  if (known.kind === 'protocol') return undefined
  if (metric.isTransient) {
    notes.addOf(known.name, ' is transient: not stored')
    return undefined
  }
  const time = metric.timestamp === undefined ? sentAt : instantOf(metric.timestamp)
  const value = metricValue(metric, metric.datatype ?? known.datatype)
  if (known.kind === 'attribute') {
    if (metric.name !== undefined && metric.name !== cleanText(metric.name))
      notes.addOf(metric.name, ' lost characters of its name that cannot be stored')
    const attribute = attributeOf(known.name, value, notes)
    if (attribute !== undefined) attributes[known.name] = attribute
    return undefined
  }
  if (known.kind === 'alarm') return alarmOf(known, metric, value, { time, isBirth }, notes)
  if (known.type === undefined) {
    notes.addOf(known.name, ' is of a kind that is not stored')
    return undefined
  }
  const { isTypeGuess } = known
  return {
    kind: 'sample',
    group: known.group,
    tag: known.name,
    type: isTypeGuess ? guessOf(metric, value) : known.type,
    value: isTypeGuess ? value : fitValue(value, known.type),
    quality: qualityOf(metric),
    time,
    late: metric.isHistorical === true,
    isPresent: isBirth,
    ...(isTypeGuess ? { isTypeGuess } : {}),
  }
}

/** Attributes are JSON; those that are objects come as text of it. */
function attributeOf(name: string, value: SparkplugValue, notes: Notes): Attributes[string] | undefined {
  if (value === null) {
    notes.addOf(name, ' has no value: not stored')
    return undefined
  }
  if (typeof value === 'bigint') return wholeOf(name, value, notes)
  if (typeof value !== 'string' || !isPlaceAttribute(name)) return value
  const json = objectOf(value)
  if (json === undefined) notes.addOf(name, ' is no JSON: not stored')
  return json
}

function isPlaceAttribute(name: string): boolean {
  return placeAttributes.some((known) => known === name)
}

function objectOf(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    return undefined
  }
}

function wholeOf(name: string, value: bigint, notes: Notes): number {
  const number = Number(value)
  if (BigInt(number) !== value) notes.addRounded(name, String(value), number)
  return number
}

/** The type that a value shows, where no birth tells it. */
function guessOf(metric: SparkplugMetric, value: SparkplugValue): TagType | undefined {
  return typeof value === 'string' || value === null ? typeOfJson(value) : tagTypeOf(metric)
}

/**
 * A backlog has the type that a tag had then, which may differ from its birth: a whole number becomes a float if a
 * float can hold it exactly. Other differences are kept as they are.
 */
function fitValue(value: SparkplugValue, type: TagType): SparkplugValue {
  if (type !== 'float64' || typeof value !== 'bigint') return value
  const number = Number(value)
  return BigInt(number) === value ? number : value
}

function withoutTime(metric: SparkplugMetric): SparkplugMetric {
  const { timestamp: _, ...rest } = metric
  return rest
}

/** Sparkplug's 0, 192 and 500; other numbers as OPC has them: the two upper bits of a byte. */
function qualityOf(metric: SparkplugMetric): number {
  if (metric.properties === undefined) return qualityNumber.good
  const said = propertyValue(metric.properties[propertyKey.quality])
  if (said === null) return qualityNumber.good
  const number = Number(said)
  if (number === qualityNumber.stale) return qualityNumber.stale
  if (number >= 192 && number < 256) return qualityNumber.good
  return number >= 64 && number < 128 ? qualityNumber.uncertain : qualityNumber.bad
}
