import {
  attributePrefix,
  encodeSparkplugPayload,
  formatSparkplugTopic,
  plainTopic,
  propertyKey,
  protocolMetric,
  rawValue,
  SparkplugDatatype,
  type SparkplugMetric,
  sparkplugGroup,
} from '@busbar/link'
import { seedOf } from '../random.ts'
import { LoadLine, type LoadLineOptions } from './load-line.ts'

const tags = [
  { name: 'Process/temperature', cn: '温度', en: 'Temperature', unit: '°C', type: SparkplugDatatype.double },
  { name: 'Process/pressure', cn: '压力', en: 'Pressure', unit: 'bar', type: SparkplugDatatype.double },
  { name: 'Drive/speed', cn: '转速', en: 'Speed', unit: 'rpm', type: SparkplugDatatype.double },
  { name: 'Drive/power', cn: '功率', en: 'Power', unit: 'kW', type: SparkplugDatatype.double },
  { name: 'Count/parts', cn: '件数', en: 'Parts', unit: '', type: SparkplugDatatype.int64 },
  { name: 'Drive/running', cn: '运行', en: 'Running', unit: '', type: SparkplugDatatype.boolean },
] as const

/** A part is made in this time; between parts the drive rests for a fifth of it. */
const cycleMs = 40_000
const runShare = 0.8

type Values = readonly [
  temperature: number,
  pressure: number,
  speed: number,
  power: number,
  parts: number,
  running: boolean,
]

/**
 * A machine that costs next to nothing: it cycles, warms up while it runs and drifts over the day, all as functions of
 * its code and the time. It says all of its six values in each message.
 */
export class LoadMachine {
  readonly line: LoadLine
  readonly #code: string
  readonly #isJson: boolean
  readonly #phaseMs: number
  readonly #level: number
  #seq = 0

  constructor(
    identity: { code: string; secret: string },
    isJson: boolean,
    line: Omit<LoadLineOptions, 'code' | 'secret' | 'will' | 'onOpen'>,
  ) {
    this.#code = identity.code
    this.#isJson = isJson
    const seed = seedOf(identity.code)
    this.#phaseMs = seed % cycleMs
    this.#level = (seed >>> 12) / 0x100000
    this.line = new LoadLine({
      ...line,
      ...identity,
      will: isJson ? undefined : { topic: this.#topic('NDEATH'), payload: deathPayload },
      onOpen: () => this.#beBorn(Date.now()),
    })
  }

  /** Publishes its state; false if the line does not accept it. */
  speak(now: number): boolean {
    if (this.#isJson) return this.line.publish(plainTopic.telemetry, this.#json(now))
    const seq = (this.#seq + 1) % 256
    const metrics = this.#values(now).map((value, index) => ({
      alias: index + 1,
      raw: rawValue(value, tags[index]?.type ?? SparkplugDatatype.double),
    }))
    const payload = encodeSparkplugPayload({ timestamp: now, seq, metrics })
    // A message that was not sent must not use up a number: a gap would cause a rebirth.
    if (!this.line.publish(this.#topic('NDATA'), payload)) return false
    this.#seq = seq
    return true
  }

  #beBorn(now: number): void {
    if (this.#isJson) {
      this.line.publish(plainTopic.attributes, Buffer.from(JSON.stringify({ model: 'Load', network: 'ETH' })))
      return
    }
    this.#seq = 0
    const metrics: SparkplugMetric[] = [
      {
        name: protocolMetric.bdSeq,
        datatype: SparkplugDatatype.int64,
        raw: rawValue(0, SparkplugDatatype.int64),
      },
      text(`${attributePrefix}model`, 'Load'),
      ...this.#values(now).map((value, index) => birthMetric(index, value)),
    ]
    this.line.publish(this.#topic('NBIRTH'), encodeSparkplugPayload({ timestamp: now, seq: 0, metrics }))
  }

  #json(now: number): Buffer {
    const values = this.#values(now)
    const named = tags.map(({ name }, index) => [name.slice(name.indexOf('/') + 1), values[index]])
    return Buffer.from(JSON.stringify({ ts: now, values: Object.fromEntries(named) }))
  }

  #values(now: number): Values {
    const cycles = (now + this.#phaseMs) / cycleMs
    const within = cycles % 1
    const running = within < runShare
    const day = Math.sin((now / 86_400_000) * 2 * Math.PI + this.#level * 6)
    const ripple = Math.sin(now / 700 + this.#phaseMs)
    const warm = running ? 1 - Math.exp(-within * 6) : Math.exp(-(within - runShare) * 12)
    return [
      rounded(34 + 18 * this.#level + 14 * warm + 3 * day, 1),
      rounded(running ? 4 + 2 * this.#level + 0.2 * ripple : 0.6, 2),
      rounded(running ? 900 + 1_400 * this.#level + 6 * ripple : 0, 0),
      rounded(running ? 8 + 22 * this.#level + 0.4 * ripple : 0.9, 1),
      Math.floor(cycles) % 1_000_000_000,
      running,
    ]
  }

  #topic(type: 'NBIRTH' | 'NDATA' | 'NDEATH'): string {
    return formatSparkplugTopic({ type, group: sparkplugGroup, edgeNode: this.#code })
  }
}

const deathPayload = encodeSparkplugPayload({
  metrics: [
    {
      name: protocolMetric.bdSeq,
      datatype: SparkplugDatatype.int64,
      raw: rawValue(0, SparkplugDatatype.int64),
    },
  ],
})

function birthMetric(index: number, value: number | boolean): SparkplugMetric {
  const tag = tags[index] ?? tags[0]
  const string = (told: string) => ({
    type: SparkplugDatatype.string,
    raw: rawValue(told, SparkplugDatatype.string),
  })
  return {
    name: tag.name,
    alias: index + 1,
    datatype: tag.type,
    raw: rawValue(value, tag.type),
    properties: {
      [propertyKey.displayNameCn]: string(tag.cn),
      [propertyKey.displayNameEn]: string(tag.en),
      [propertyKey.engUnit]: string(tag.unit),
      ...(index === 0
        ? {
            [propertyKey.keyTag]: {
              type: SparkplugDatatype.boolean,
              raw: rawValue(true, SparkplugDatatype.boolean),
            },
          }
        : {}),
    },
  }
}

function text(name: string, value: string): SparkplugMetric {
  return { name, datatype: SparkplugDatatype.string, raw: rawValue(value, SparkplugDatatype.string) }
}

function rounded(value: number, scale: number): number {
  const factor = 10 ** scale
  return Math.round(value * factor) / factor
}
