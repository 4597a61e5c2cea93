import type { SampleRecord } from '../../src/modules/telemetry/index.ts'
import type { TagType } from '../../src/modules/telemetry/tag-type.ts'
import type { Random } from '../histories/random.ts'
import type { ModelMachine, ModelTag, ModelValue } from './sample-model.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Days ago from which late samples come: of a few days only, because each may need a partition. The last two are beyond the longest partitions. */
const lateDays = [0, 0, 0, 1, 1, 2, 3, 20, 60, 120, 400] as const
const versionsMax = 12
const samplesPerRunMax = 120

const types: Readonly<Record<string, TagType>> = {
  slow: 'float64',
  fast: 'float64',
  counter: 'int64',
  on: 'bool',
  state: 'string',
  mixed: 'float64',
}
const names = Object.keys(types) as [string, ...string[]]

type Draft = Pick<SampleRecord, 'time' | 'late'> & { readonly name: string }

/** Draws the messages of a machine: one is of live or of late samples of a tag, never both. */
export function drawMessage(random: Random, machine: ModelMachine, now: number): SampleRecord[] {
  const drafts = drawDrafts(random, machine, now)
  const changed = new Map<string, TagType>()
  const held = new Map<string, ReturnType<typeof drawValue>>()
  return drafts.map(({ name, ...more }) => {
    const tag = machine.tags.get(name)
    const before = changed.get(name) ?? tag?.type ?? types[name] ?? 'float64'
    const mayChange = name === 'mixed' && !changed.has(name) && (tag?.version ?? 0) < versionsMax
    const type =
      mayChange && random.chance(0.03) ? random.pick(['float64', 'int64', 'bool', 'string']) : before
    changed.set(name, type)
    const draw = () => drawValue(random, type, tag)
    // States hold for a while.
    const given = (isState(type) && random.chance(0.85) && held.get(`${name} ${type}`)) || draw()
    held.set(`${name} ${type}`, given)
    return { kind: 'sample', group: '', tag: name, type, ...given, ...more }
  })
}

const isState = (type: TagType): boolean => type === 'bool' || type === 'string'

function drawDrafts(random: Random, machine: ModelMachine, now: number): Draft[] {
  const name = random.pick(names)
  const kind = random.next()
  if (kind < 0.5) {
    const some = names.filter(() => random.chance(0.5))
    return some.map((one) => ({ name: one, time: drawLive(random, machine.tags.get(one), now), late: false }))
  }
  if (kind < 0.62) {
    const count = 1 + random.below(60)
    const stepMs = 1 + random.below(Math.floor((4 * minuteMs) / count))
    return Array.from({ length: count }, (_, place) => ({
      name,
      time: now - (count - place) * stepMs,
      late: false,
    }))
  }
  if (kind < 0.7) {
    // A second and a third value of one stamp.
    const time = drawLive(random, machine.tags.get(name), now)
    return Array.from({ length: 1 + random.below(3) }, () => ({ name, time, late: false }))
  }
  return drawLateRun(random, machine.tags.get(name), name, now)
}

function drawLive(random: Random, tag: ModelTag | undefined, now: number): number | undefined {
  const kind = random.next()
  if (kind < 0.1) return undefined
  // The newest one's stamp again.
  if (kind < 0.25 && tag?.newest) return tag.newest.stamp
  if (kind < 0.35) return now - random.below(5 * minuteMs)
  if (kind < 0.4) return now + random.below(4 * minuteMs)
  // Not believed.
  if (kind < 0.45) return now - 5 * minuteMs - 1 - random.below(dayMs)
  if (kind < 0.47) return now + 6 * minuteMs
  const exact = now - random.below(2 * secondMs)
  return kind < 0.7 ? exact - (exact % secondMs) : exact
}

function drawLateRun(random: Random, tag: ModelTag | undefined, name: string, now: number): Draft[] {
  const count = random.chance(0.5) ? 1 + random.below(5) : 1 + random.below(samplesPerRunMax)
  const stored = tag && random.chance(0.3) ? random.pickAny(tag.sorted()) : undefined
  const dayBefore = now - random.pick(lateDays) * dayMs
  // Of a clock that is ahead.
  const isAhead = random.chance(0.03)
  if (isAhead) return [{ name, time: now + 6 * minuteMs + random.below(20 * hourMs), late: true }]
  const first = stored?.at ?? dayBefore - random.below(random.chance(0.5) ? 2 * hourMs : dayMs)
  const stepMs = random.pick([1, 37, secondMs, 10 * secondMs, minuteMs, 7 * minuteMs])
  const times = Array.from({ length: count }, (_, place) => {
    const jitter = random.chance(0.2) ? random.below(stepMs) : 0
    return first + place * stepMs + jitter
  })
  return times.filter((time) => time <= now).map((time) => ({ name, time, late: true }))
}

function drawValue(
  random: Random,
  type: TagType,
  tag: ModelTag | undefined,
): Pick<SampleRecord, 'value' | 'quality'> {
  const kind = random.next()
  const quality = kind < 0.9 ? 192 : random.pick([0, 64, 64, 500, 7])
  if (tag?.newest && tag.type === type && random.chance(isState(type) ? 0.8 : 0.2))
    return { value: tag.newest.value, quality }
  // A missing value, or one that its type cannot have.
  if (random.chance(0.03))
    return { value: random.pick([null, Number.NaN, Number.POSITIVE_INFINITY]), quality }
  return { value: drawOf(random, type), quality }
}

function drawOf(random: Random, type: TagType): ModelValue {
  switch (type) {
    case 'bool':
      return random.chance(0.5)
    case 'string':
      return drawText(random)
    case 'int64': {
      if (random.chance(0.5)) return random.below(2_000) - 1_000
      // Beyond the exact range of a double; a difference of two still fits 64 bits.
      const sign = random.chance(0.5) ? 1n : -1n
      return sign * (2n ** 53n + BigInt(random.below(2 ** 31)) * BigInt(random.below(2 ** 30)))
    }
    case 'float64': {
      const number = (random.next() - 0.5) * 200
      if (random.chance(0.02)) return number * 10 ** (random.below(200) - 100)
      return random.chance(0.5) ? Math.round(number * 10) / 10 : number
    }
  }
}

function drawText(random: Random): string {
  if (random.chance(0.05)) return '运行'.repeat(1 + random.below(171))
  return random.pick(['', 'idle', 'running', '停机', 'fault 12: door\nopen', '"'])
}
