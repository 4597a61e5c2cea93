import { describe, expect, test } from 'vitest'
import { CounterRise } from '../telemetry/index.ts'
import {
  comeBack,
  forgetSilence,
  goAway,
  holdAway,
  loseMachine,
  type Outcome,
  passTime,
  restoreState,
  type SampleValue,
  startRule,
  takeSample,
} from './evaluate-rule.ts'
import { compileRule, keyOfTag, type RuleTerms, type StoredCondition } from './rule-condition.ts'

const tagOf = (name: string) => ({ group: '', name })
const terms = (condition: StoredCondition, more: Partial<RuleTerms> = {}): RuleTerms => ({
  condition,
  onDelay: 0,
  offDelay: 0,
  activeHours: null,
  ...more,
})
const over80: StoredCondition = { kind: 'threshold', tag: tagOf('a'), op: '>', limit: 80, deadband: 5 }

/** A rule that runs; times in seconds. */
function runRule(rule: RuleTerms, zone = 'UTC') {
  const compiled = compileRule(rule, zone)
  let state = startRule(compiled, 0)
  const told: Outcome[] = []
  return {
    see(at: number, value: SampleValue, tag = 'a') {
      takeSample(compiled, state, { tag: keyOfTag(tagOf(tag)), time: at * 1_000, value }, told)
    },
    wait: (until: number) => passTime(compiled, state, until * 1_000, told),
    lose: () => loseMachine(compiled, state),
    goAway: (at: number) => goAway(compiled, state, at * 1_000),
    comeBack: (at: number) => comeBack(compiled, state, at * 1_000, told),
    hold: (until: number) => holdAway(compiled, state, until * 1_000),
    forget: (at: number) => forgetSilence(compiled, state, at * 1_000),
    store() {
      state = restoreState(compiled, JSON.parse(JSON.stringify(state))) ?? state
    },
    get told() {
      return told.map(({ state, at }) => `${state} ${at / 1_000}`)
    },
    outcomes: told,
  }
}

describe('a rule', () => {
  test('clears beyond its dead band, and reports the value that crossed', () => {
    const rule = runRule(terms(over80))
    for (const [at, value] of [80, 81, 79, 75.5, 75, 81].entries()) rule.see(at, value)
    expect(rule.told).toEqual(['raised 1', 'cleared 4', 'raised 5'])
    expect(rule.outcomes[0]).toMatchObject({ value: 81, limit: 80 })
  })

  test('waits for its delays, whether a sample comes or not', () => {
    const rule = runRule(terms(over80, { onDelay: 10, offDelay: 5 }))
    rule.see(0, 90)
    rule.see(9, 10)
    rule.see(12, 90)
    rule.wait(21)
    expect(rule.told).toEqual([])
    rule.wait(22)
    rule.see(30, 10)
    rule.see(40, 10)
    expect(rule.told).toEqual(['raised 22', 'cleared 35'])
  })

  test('ignores a sample that is older than the last one of its variable', () => {
    const rule = runRule(terms(over80))
    rule.see(5, 10)
    rule.see(4, 90)
    rule.see(5, 90)
    expect(rule.told).toEqual([])
  })

  test('reads a bit of a whole number, however long it is', () => {
    const high = runRule(terms({ kind: 'state', tag: tagOf('a'), bit: 60, isSet: true }))
    high.see(1, 2n ** 60n)
    high.see(2, 2n ** 59n)
    expect(high.told).toEqual(['raised 1', 'cleared 2'])
    const open = runRule(terms({ kind: 'state', tag: tagOf('a'), bit: 0, isSet: false }))
    open.see(1, 1)
    open.see(2, 0)
    open.see(3, 0.5)
    expect(open.told).toEqual(['raised 2'])
  })

  test('compares a switch with true and with 1 alike', () => {
    for (const equals of [true, 1]) {
      const rule = runRule(terms({ kind: 'state', tag: tagOf('a'), equals }))
      rule.see(1, false)
      rule.see(2, true)
      expect(rule.told).toEqual(['raised 2'])
    }
  })

  test('measures the rise of a counter over its restart, and is not raised by a value that was lost for a moment', () => {
    const fast = { kind: 'rate', tag: tagOf('a'), perSecond: 5, overSeconds: 10 } as const
    const restarted = Array.from({ length: 60 }, (_, at) => 10 * (at < 30 ? at + 100 : at - 29))
    const lost = Array.from({ length: 60 }, (_, at) => (at === 30 ? 0 : 1_000 + at))
    const outcomesOf = (values: readonly number[], condition: StoredCondition) => {
      const rule = runRule(terms(condition))
      for (const [at, value] of values.entries()) {
        rule.see(at, value)
        rule.store()
      }
      return rule.told
    }
    expect(outcomesOf(restarted, fast)).toEqual(['raised 10', 'cleared 30', 'raised 40'])
    expect(outcomesOf(lost, fast)).toEqual(['raised 40', 'cleared 41'])
    expect(outcomesOf(restarted, { ...fast, isCounter: true })).toEqual(['raised 10'])
    expect(outcomesOf(lost, { ...fast, isCounter: true })).toEqual([])
  })

  test('keeps its delay while the machine is away, and raises if the next value still meets the condition', () => {
    const stays = runRule(terms(over80, { onDelay: 10 }))
    stays.see(0, 90)
    stays.lose()
    stays.wait(100)
    expect(stays.told).toEqual([])
    stays.see(200, 91)
    expect(stays.told).toEqual(['raised 200'])
    const ends = runRule(terms(over80, { onDelay: 10 }))
    ends.see(0, 90)
    ends.lose()
    ends.see(200, 10)
    ends.wait(300)
    expect(ends.told).toEqual([])
  })

  test('counts silence from the return of the platform, not while that was away', () => {
    const rule = runRule(terms({ kind: 'noData', tag: tagOf('a'), seconds: 60 }))
    rule.see(10, 1)
    rule.lose()
    rule.forget(500)
    rule.wait(559)
    expect(rule.told).toEqual([])
    rule.wait(560)
    rule.see(570, 1)
    expect(rule.told).toEqual(['raised 560', 'cleared 570'])
  })

  test('on absence raises when it lasted, and clears with the return, though it hears of both later', () => {
    const rule = runRule(terms({ kind: 'away', minutes: 1 }))
    rule.wait(1_000)
    expect(rule.told).toEqual([])
    rule.goAway(1_000)
    rule.comeBack(1_050)
    rule.goAway(2_000)
    rule.store()
    rule.wait(2_059)
    expect(rule.told).toEqual([])
    rule.comeBack(2_070)
    expect(rule.told).toEqual(['raised 2060', 'cleared 2070'])
    expect(rule.outcomes[0]).toMatchObject({ tag: '', value: null, limit: 1 })
  })

  test('on absence waits for machines that come back to a platform that was away', () => {
    const rule = runRule(terms({ kind: 'away', minutes: 5 }))
    rule.goAway(1_000)
    rule.hold(2_060)
    rule.wait(2_059)
    rule.comeBack(2_059)
    rule.wait(9_000)
    expect(rule.told).toEqual([])
    rule.goAway(10_000)
    rule.hold(10_060)
    rule.wait(20_000)
    expect(rule.told).toEqual(['raised 10300'])
  })

  test('on absence raises in its hours only, and after its delay', () => {
    const hours = { days: [1, 2, 3, 4, 5, 6, 7], from: '01:00', to: '02:00' }
    const rule = runRule(terms({ kind: 'away', minutes: 10 }, { activeHours: hours, onDelay: 30 }))
    rule.goAway(60)
    rule.wait(3_629)
    expect(rule.told).toEqual([])
    rule.wait(8_000)
    expect(rule.told).toEqual(['raised 3630', 'cleared 7200'])
  })

  test('holds in its hours only, in the zone of the machine and over midnight', () => {
    const at = (text: string) => Date.parse(text) / 1_000
    const night = { days: [5], from: '22:00', to: '06:00' }
    const rule = runRule(terms(over80, { activeHours: night }), 'Asia/Shanghai')
    // A Friday in Shanghai, where 22:00 is 14:00 in UTC.
    rule.see(at('2026-11-20T13:59:30Z'), 90)
    rule.wait(at('2026-11-20T22:30:00Z'))
    rule.see(at('2026-11-21T14:30:00Z'), 91)
    expect(rule.told).toEqual([
      `raised ${at('2026-11-20T14:00:00Z')}`,
      `cleared ${at('2026-11-20T22:00:00Z')}`,
    ])
  })
})

/** Random numbers that a seed repeats. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const stepMs = 500
const steps = 360
const tags = ['a', 'b', 'c']
type Random = (below: number) => number
type History = readonly { readonly time: number; readonly tag: string; readonly value: number }[]

function drawCondition(random: Random, depth: number): StoredCondition {
  const tag = tagOf(tags[random(3)] as string)
  switch (random(depth === 0 ? 6 : 8)) {
    case 0:
      return {
        kind: 'threshold',
        tag,
        op: (['>', '>='] as const)[random(2)] ?? '>',
        limit: 5,
        deadband: random(3),
      }
    case 1:
      return {
        kind: 'threshold',
        tag,
        op: (['<', '<='] as const)[random(2)] ?? '<',
        limit: 4,
        deadband: random(3),
      }
    case 2:
      return random(2) === 0
        ? { kind: 'state', tag, bit: random(3), isSet: random(2) === 0 }
        : { kind: 'state', tag, equals: random(9) }
    case 3:
      return {
        kind: 'rate',
        tag,
        perSecond: [0.5, -0.5, 1][random(3)] ?? 1,
        overSeconds: 1 + random(8),
      }
    case 4:
      return { kind: 'rate', tag, perSecond: 0.5 + random(2), overSeconds: 1 + random(8), isCounter: true }
    case 5:
      return { kind: 'noData', tag, seconds: 5 + random(10) }
    default: {
      const rules = Array.from({ length: 2 + random(2) }, () => drawCondition(random, depth - 1))
      return { kind: random(2) === 0 ? 'all' : 'any', rules }
    }
  }
}

/** Whether a condition holds after the samples of a history, worked out from its begin. */
function holds(condition: StoredCondition, history: History, now: number): boolean {
  if ('rules' in condition) {
    const parts = condition.rules.map((rule) => holds(rule, history, now))
    return condition.kind === 'all' ? !parts.includes(false) : parts.includes(true)
  }
  if (condition.kind === 'away') return false
  const seen = history.filter(({ tag }) => tag === condition.tag.name)
  const last = seen.at(-1)
  if (condition.kind === 'noData') return now - (last?.time ?? 0) >= condition.seconds * 1_000
  if (!last) return false
  if (condition.kind === 'state') {
    if ('equals' in condition) return last.value === condition.equals
    return (Math.floor(last.value / 2 ** condition.bit) % 2 === 1) === condition.isSet
  }
  if (condition.kind === 'rate') {
    const overMs = condition.overSeconds * 1_000
    const before = seen.findLast(({ time }) => time <= last.time - overMs)
    if (!before || now >= last.time + overMs) return false
    const rise = condition.isCounter ? riseAfter(before.time, seen) : last.value - before.value
    const rate = rise / condition.overSeconds
    return rate * Math.sign(condition.perSecond) >= Math.abs(condition.perSecond)
  }
  const { op, limit, deadband } = condition
  const sign = op.startsWith('>') ? 1 : -1
  const isBeyond = (value: number, by: number) =>
    op.endsWith('=') ? sign * (value - by) >= 0 : sign * (value - by) > 0
  return seen.reduce((was, { value }) => isBeyond(value, was ? limit - sign * deadband : limit), false)
}

/** The rise of a counter after an instant, counted from its first value. */
function riseAfter(instant: number, history: History): number {
  let risen = 0
  const counter = new CounterRise(false, [], (at, amount) => {
    if (at > instant) risen += Number(amount)
  })
  for (const { time, value } of history) counter.take(value, time)
  counter.settle()
  return risen
}

/** The outcomes, evaluated at each instant before and after its samples. */
function evaluateNaively(rule: RuleTerms, history: History): string[] {
  const isActiveAt = (at: number) => !rule.activeHours || (at >= 60_000 && at < 120_000)
  const instants = Array.from({ length: steps + 1 }, (_, step) => step * stepMs).flatMap((at) =>
    [history.filter(({ time }) => time < at), history.filter(({ time }) => time <= at)].map((seen) => ({
      at,
      isMet: isActiveAt(at) && holds(rule.condition, seen, at),
    })),
  )
  const told: string[] = []
  let isActive = false
  for (const [place, { at, isMet }] of instants.entries()) {
    if (isMet === isActive) continue
    const other = instants.slice(0, place).findLastIndex((before) => before.isMet !== isMet)
    const since = instants[other + 1]?.at ?? 0
    if (at - since < (isMet ? rule.onDelay : rule.offDelay) * 1_000) continue
    isActive = isMet
    told.push(`${isMet ? 'raised' : 'cleared'} ${at / 1_000}`)
  }
  return told
}

const runs = Number(process.env.BUSBAR_RULE_RUNS ?? 300)

test(`${runs} random rules have the outcomes of a naive evaluator in the same histories`, () => {
  let outcomes = 0
  for (let seed = 1; seed <= runs; seed++) {
    const random = createRandom(seed)
    const rule = terms(drawCondition(random, 2), {
      onDelay: [0, 0, 3, 10][random(4)] ?? 0,
      offDelay: [0, 0, 2, 8][random(4)] ?? 0,
      activeHours: random(4) === 0 ? { days: [4], from: '00:01', to: '00:02' } : null,
    })
    const history: { time: number; tag: string; value: number }[] = []
    for (let step = 1; step < steps; step++) {
      if (random(3) === 0)
        history.push({ time: step * stepMs, tag: tags[random(3)] as string, value: random(9) })
    }
    const run = runRule(rule)
    for (const { time, tag, value } of history) {
      if (random(5) === 0) run.wait(time / 1_000 - random(2) * 0.5)
      if (random(10) === 0) run.store()
      run.see(time / 1_000, value, tag)
    }
    run.wait((steps * stepMs) / 1_000)
    expect({ seed, rule, told: run.told }).toEqual({ seed, rule, told: evaluateNaively(rule, history) })
    outcomes += run.told.length
  }
  expect(outcomes).toBeGreaterThan(runs)
})
