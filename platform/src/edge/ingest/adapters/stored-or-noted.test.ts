import { useStore } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { expect, it } from 'vitest'
import { createRandom, type Random } from '../../../../test-support/histories/random.ts'
import { listLogged } from '../../../../test-support/telemetry/logged-samples.ts'
import { AppendReport } from '../../../modules/telemetry/index.ts'
import { readTelemetry } from './read-message.ts'

const messagesPerSeed = 60
const store = useStore()
const language = {
  adapter: null,
  timeZone: 'Asia/Shanghai',
  textEncoding: 'utf8',
  otherTopics: false,
} as const

/** A value as its sender meant it; `exact` undefined: nothing that can be stored is the same. */
interface Meant {
  readonly name: string
  readonly exact: string | undefined
  /** Epoch milliseconds; undefined: at arrival; NaN: no time. */
  readonly time: number | undefined
}

const exactOf = (value: unknown): string =>
  typeof value === 'number' && Number.isInteger(value) ? String(BigInt(value)) : String(value)

/** A value as JSON has it, and as it must be stored. */
function drawValue(random: Random): [json: string, exact: string | undefined] {
  const digits = (count: number) => Array.from({ length: count }, () => 1 + random.below(9)).join('')
  const whole = random.pick(['7', '-40', '0', digits(random.pick([3, 9, 15, 16, 17, 19, 25]))])
  const decimal = `${random.below(900)}.${digits(random.pick([1, 2, 9]))}`
  const text = random.pick(['on', '--', 'N/A', '21.5', 'true', 'x'.repeat(2_000), 'a\0b', digits(18)])
  return random.pick([
    [whole, whole],
    [whole, whole],
    [decimal, decimal],
    // No float64 is printed like this.
    [`1.${digits(25)}`, undefined],
    [JSON.stringify(text), text],
    ['true', 'true'],
    ['false', 'false'],
    ['null', 'null'],
    ['NaN', 'NaN'],
    ['1e400', undefined],
  ])
}

/** A time in one of its forms, and the instant that it means. */
function drawTime(random: Random, now: number): [json: string, at: number] {
  const at = now - random.below(240_000)
  const second = Math.floor(at / 1_000)
  const iso = new Date(at).toISOString()
  const wall = new Date(at + 8 * 3_600_000).toISOString().slice(0, 23)
  const old = now - 86_400_000 * (1 + random.below(9_000))
  return random.pick([
    [`${at}`, at],
    [`${at}`, at],
    [`"${at}"`, at],
    [`${second}`, second * 1_000],
    [`${at}${random.below(900) + 100}`, at],
    [`${at}${random.below(900) + 100}000`, at],
    [`"${iso}"`, at],
    [`"${wall}+08:00"`, at],
    [`"${wall.replace('T', ' ')}"`, at],
    [`${old}`, old],
    [`"${random.pick(['yesterday', '', '2026-02-30T00:00:00Z'])}"`, Number.NaN],
    [random.pick(['null', 'true', '-5', '[]']), Number.NaN],
  ])
}

const names = ['a', 'b', '温度', 'say "hi"', '__proto__', '1', 'a.b', 'x[0]', 'tab\t', 'level', ''] as const

/** Members of one object, some of them nested, some twice. */
function drawMembers(random: Random, time: number | undefined, meant: Meant[]): string {
  const drawn = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => {
    // One that no message had has no type yet.
    const name = random.chance(0.5) ? `tag${random.below(1e9)}` : random.pick(names)
    const [json, exact] = drawValue(random)
    const [kind, ends] = random.pick([
      ['plain', ''],
      ['plain', ''],
      ['plain', ''],
      ['object', '.in'],
      ['array', '[0]'],
    ])
    meant.push({ name: name + ends, exact, time })
    const value = kind === 'object' ? `{"in":${json}}` : kind === 'array' ? `[${json}]` : json
    return `${JSON.stringify(name)}${random.pick([':', ' : '])}${value}`
  })
  return `{${drawn.join(',')}}`
}

function drawReading(random: Random, now: number, meant: Meant[]): string {
  const [json, at] = drawTime(random, now)
  const odd = random.pick(['', '', '', '"unit":"bar",', '"late":"yes",'])
  if (odd !== '') meant.push({ name: 'odd', exact: undefined, time: undefined })
  return `{${odd}"ts":${json},"values":${drawMembers(random, at, meant)}}`
}

function drawBody(random: Random, now: number): { body: string; meant: Meant[] } {
  const meant: Meant[] = []
  const body = random.pick([
    () => drawMembers(random, undefined, meant),
    () => drawReading(random, now, meant),
    () => `[${drawReading(random, now, meant)},${drawReading(random, now, meant)}]`,
  ])()
  return { body, meant }
}

const show = ({ name, exact, time }: Meant): string => `${name} = ${exact} at ${time}`

for (const seed of pickSeeds()) {
  it(`each value is stored as it was sent, or a note says that it is not: seed ${seed}`, async () => {
    const random = createRandom(seed)
    const machineId = await store.createMachine()
    const untold = new Map<number, { body: string; meant: Meant[] }>()
    for (let message = 0; message < messagesPerSeed; message++) {
      store.clock += 1_000
      const { body, meant } = drawBody(random, store.clock)
      const { uplink } = readTelemetry(Buffer.from(body), language, store.clock)
      const report = new AppendReport(uplink.notes)
      const refused = await store.telemetry.append(machineId, uplink.records, report)
      const isTold = report.notes.length > 0 || refused.length > 0 || uplink.verdict !== undefined
      if (!isTold) untold.set(store.clock, { body, meant })
    }
    const stored = await listLogged(store.db, machineId)
    expect(untold.size).toBeGreaterThan(5)
    for (const [now, { body, meant }] of untold) {
      const kept = stored
        .filter(({ receivedAt }) => receivedAt.getTime() === now)
        .map(({ name, value, at }) => show({ name, exact: exactOf(value), time: at.getTime() }))
      const sent = meant.map((one) => show({ ...one, time: one.time ?? now }))
      expect(kept.sort(), body).toEqual(sent.sort())
    }
  })
}

it('a text of more digits than a number holds is noted with both figures', async () => {
  const machineId = await store.createMachine()
  const notes: (readonly string[])[] = []
  for (const text of ['1.5', '9007199254740993']) {
    store.clock += 1_000
    const body = Buffer.from(`{"_groupTag":"g","n":"${text}"}`)
    const report = new AppendReport()
    await store.telemetry.append(machineId, readTelemetry(body, language, store.clock).uplink.records, report)
    notes.push(report.notes)
  }
  expect(notes).toEqual([[], ['"n" is rounded: 9007199254740993 is read as 9007199254740992']])
})
