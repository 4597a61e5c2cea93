import { describe, expect, test } from 'vitest'
import { createChangeFilter } from './change-filter.ts'
import { coarseStepMs, createMachineModel, type MachineModel } from './machine-model.ts'
import { speakEveryMs } from './machine-node.ts'
import { boosterTankM2 } from './profiles/booster-pumps.ts'
import { demoTank, pasteuriserPlant, profiles } from './profiles/index.ts'
import { hourMs, type MachineProfile, minuteMs } from './profiles/profile.ts'
import { clearwellM2 } from './profiles/water-treatment.ts'

/** Monday, midnight in China. */
const weekStartAt = Date.UTC(2026, 4, 10, 16)
const workAt = weekStartAt + 11 * hourMs
const codes = ['3020882951040806712', '1729154364880872672'] as const
/** Values that may stay unchanged for a week. */
const steady = new Set(['batch', 'pump_runs'])
/** It makes one product. */
const oneRecipe = pasteuriserPlant.id
const all = [...profiles, pasteuriserPlant, demoTank]

const modelOf = (profile: MachineProfile, startAt = workAt, machineCode: string = codes[0]) =>
  createMachineModel({ profile, machineCode, startAt })
const profileOf = (id: string) => all.find((profile) => profile.id === id) as MachineProfile

/** Reads one tag of a model. */
const reader = (model: MachineModel, name: string) => {
  const index = model.profile.tags.findIndex((tag) => tag.name === name)
  return () => Number(model.values()[index])
}

interface Week {
  raised: Set<string>
  cleared: Set<string>
  calmShare: number
  /** Values of each minute, by the place of the tag. */
  minutes: (number | boolean | string)[][]
  alarmsAt: ReadonlySet<string>[]
}

const weeks = new Map<string, Week>()

/** A week in coarse steps, looked at every minute; made once for all tests. */
function weekOf(profile: MachineProfile, machineCode: string = codes[0]): Week {
  const known = weeks.get(profile.id + machineCode)
  if (known) return known
  const model = createMachineModel({ profile, machineCode, startAt: weekStartAt })
  const week: Week = { raised: new Set(), cleared: new Set(), calmShare: 0, minutes: [], alarmsAt: [] }
  for (let minute = 1; minute <= 7 * 24 * 60; minute += 1) {
    model.advance(weekStartAt + minute * minuteMs, coarseStepMs)
    const standing = model.alarms()
    for (const id of standing) week.raised.add(id)
    for (const id of week.raised) if (!standing.has(id)) week.cleared.add(id)
    if (standing.size === 0) week.calmShare += 1 / (7 * 24 * 60)
    week.minutes.push(model.values())
    week.alarmsAt.push(standing)
  }
  weeks.set(profile.id + machineCode, week)
  return week
}

function column(profile: MachineProfile, name: string): number[] {
  const index = profile.tags.findIndex((tag) => tag.name === name)
  return weekOf(profile).minutes.map((values) => Number(values[index]))
}

describe.each(all.map((profile) => [profile.id, profile] as const))('%s', (_id, profile) => {
  test('for a week stays plausible, counts only up, and every value moves', () => {
    for (const code of codes) {
      const { minutes } = weekOf(profile, code)
      for (const [index, tag] of profile.tags.entries()) {
        const isCounter = tag.min === 0 && tag.max === undefined
        let before: unknown
        const seen = new Set<unknown>()
        for (const values of minutes) {
          const value = values[index]
          if (seen.size < 2) seen.add(value)
          const fits =
            tag.type === 'bool' || tag.type === 'string'
              ? typeof value === (tag.type === 'bool' ? 'boolean' : 'string')
              : Number(value) >= (tag.min ?? -Infinity) && Number(value) <= (tag.max ?? Infinity)
          if (!fits) expect.unreachable(`${tag.name} = ${value}, seed ${code}`)
          if (isCounter && before !== undefined && Number(value) < Number(before))
            expect.unreachable(`${tag.name} went back from ${before} to ${value}`)
          if (tag.words && Object.keys(tag.words).length > 0 && !(String(value) in tag.words))
            expect.unreachable(`${tag.name} says ${value}, which nobody explains`)
          before = value
        }
        const isSteady = steady.has(tag.name) || (tag.name === 'recipe' && profile.id === oneRecipe)
        if (!tag.writable && !isSteady) expect(seen.size, `${tag.name} never moved`).toBeGreaterThan(1)
      }
    }
  })

  test('a fault grows for hours, raises an alarm, and is mended; most of the week is calm', () => {
    for (const fault of profile.faults) expect(fault.developsMs, fault.id).toBeGreaterThan(3 * hourMs)
    for (const code of codes) {
      const { cleared, calmShare } = weekOf(profile, code)
      expect([...cleared], `alarms of seed ${code}`).not.toEqual([])
      expect(calmShare, `seed ${code}`).toBeGreaterThan(0.88)
    }
  })

  test('gives the same values for the same code, others for another', () => {
    const trace = (code: string) => {
      const model = modelOf(profile, workAt, code)
      const samples: unknown[] = []
      for (let minute = 1; minute <= 30; minute += 1) {
        model.advance(workAt + minute * minuteMs)
        samples.push(model.values(), [...model.alarms()])
      }
      return JSON.stringify(samples)
    }
    expect(trace(codes[0])).toBe(trace(codes[0]))
    expect(trace(codes[0])).not.toBe(trace(codes[1]))
  })

  test('goes on where it was saved as if nothing had been', () => {
    const whole = modelOf(profile)
    whole.advance(workAt + hourMs)
    const saved = JSON.parse(JSON.stringify(whole.save())) as ReturnType<typeof whole.save>
    const later = createMachineModel({ profile, machineCode: codes[0], startAt: 0, saved })
    whole.advance(workAt + 2 * hourMs)
    later.advance(workAt + 2 * hourMs)
    expect(later.values()).toEqual(whole.values())
    expect([...later.alarms()]).toEqual([...whole.alarms()])
  })

  test('says one to seven values a word while it works', () => {
    const model = modelOf(profile)
    const filter = createChangeFilter(profile.tags)
    let sent = 0
    const words = 1_800
    for (let word = 1; word <= words; word += 1) {
      model.advance(workAt + word * speakEveryMs)
      sent += filter.take(model.values(), model.at).length
    }
    expect(sent / words).toBeGreaterThan(1)
    expect(sent / words).toBeLessThan(7)
  })
})

test.each([
  ['booster-pumps', 'tank_level', 'inflow', 'flow', boosterTankM2],
  ['water-treatment', 'clearwell_level', 'inflow', 'outflow', clearwellM2],
])('%s: the level gains the difference of inflow and outflow', (id, level, inflow, outflow, areaM2) => {
  const model = modelOf(profileOf(id))
  const [readLevel, readIn, readOut] = [level, inflow, outflow].map((name) => reader(model, name))
  model.advance(workAt + 1_000)
  const before = readLevel?.() ?? 0
  let gainedM3 = 0
  for (let second = 2; second <= 6 * 3_600; second += 1) {
    model.advance(workAt + second * 1_000)
    gainedM3 += ((readIn?.() ?? 0) - (readOut?.() ?? 0)) / 3_600
  }
  expect((readLevel?.() ?? 0) - before).toBeCloseTo(gainedM3 / areaM2, 1)
})

test.each([
  ['injection-press', 'active_power'],
  ['ammonia-chiller', 'motor_power'],
  ['booster-pumps', 'active_power'],
])('%s: the energy counted is the power drawn', (id, power) => {
  const model = modelOf(profileOf(id))
  const [readKW, readKWh] = [reader(model, power), reader(model, 'energy')]
  const before = readKWh()
  let kWh = 0
  for (let second = 1; second <= 3 * 3_600; second += 1) {
    model.advance(workAt + second * 1_000)
    kWh += readKW() / 3_600
  }
  expect(Math.abs(readKWh() - before - kWh)).toBeLessThan(2)
})

test('a press shows its cycle: clamp, inject, hold, cool, eject, in half a minute', () => {
  const press = profileOf('injection-press')
  const model = modelOf(press)
  const [readBar, readScrew] = [reader(model, 'pressure'), reader(model, 'screw_position')]
  const phaseAt = press.tags.findIndex((tag) => tag.name === 'phase')
  const order: string[] = []
  const bars: number[] = []
  const screw: number[] = []
  for (let second = 1; second <= 70; second += 1) {
    model.advance(workAt + second * 1_000)
    const phase = String(model.values()[phaseAt])
    if (order.at(-1) !== phase) order.push(phase)
    bars.push(readBar())
    screw.push(readScrew())
  }
  const cycle = order.slice(order.indexOf('clamp'), order.indexOf('clamp') + 5)
  expect(cycle).toEqual(['clamp', 'inject', 'hold', 'cool', 'eject'])
  expect(Math.max(...bars)).toBeGreaterThan(150)
  expect(Math.min(...bars)).toBeLessThan(60)
  expect([Math.min(...screw) < 25, Math.max(...screw) > 180]).toEqual([true, true])
})

test('scale in the mould’s cooling is seen in the flow two hours before its alarm', () => {
  const press = profileOf('injection-press')
  const flow = column(press, 'cooling_flow')
  const { alarmsAt } = weekOf(press)
  const raisedAt = alarmsAt.findIndex((standing, minute) => minute > 24 * 60 && standing.has('E2107'))
  expect(raisedAt).toBeGreaterThan(0)
  const before = flow.slice(raisedAt - 150, raisedAt - 120)
  expect(Math.max(...before)).toBeLessThan(16)
  expect(Math.min(...flow.slice(raisedAt - 12 * 60, raisedAt - 11 * 60))).toBeGreaterThan(16.5)
})

test('a week looks like a week: Sundays and nights rest', () => {
  const during = (id: string, name: string, day: number, hour: number, hours: number) => {
    const values = column(profileOf(id), name)
    const from = (day * 24 + hour) * 60
    return values.slice(from, from + hours * 60)
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const gained = (values: number[]) => (values.at(-1) ?? 0) - (values[0] ?? 0)
  expect(gained(during('injection-press', 'shots', 6, 9, 8))).toBe(0)
  expect(gained(during('injection-press', 'shots', 1, 9, 8))).toBeGreaterThan(700)
  expect(gained(during('packaging-line', 'packs', 2, 2, 3))).toBe(0)
  expect(gained(during('packaging-line', 'packs', 2, 14, 3))).toBeGreaterThan(4_000)
  expect(mean(during('booster-pumps', 'flow', 1, 2, 2))).toBeLessThan(
    mean(during('booster-pumps', 'flow', 1, 7, 1)) / 1.8,
  )
  expect(mean(during('ammonia-chiller', 'heat_load', 1, 14, 4))).toBeGreaterThan(
    mean(during('ammonia-chiller', 'heat_load', 1, 1, 4)) + 50,
  )
  expect(mean(during('screw-compressor', 'air_use', 6, 10, 6))).toBeLessThan(4)
})

test('the oven follows its recipe', () => {
  const oven = profileOf('bakery-oven')
  const [zone, wanted] = [column(oven, 'zone2_temp'), column(oven, 'zone2_set')]
  const { alarmsAt } = weekOf(oven)
  let within = 0
  let settledMinutes = 0
  for (const [minute, celsius] of zone.entries()) {
    const since = wanted.slice(Math.max(0, minute - 60), minute + 1)
    if (since.length < 61 || new Set(since).size > 1 || alarmsAt[minute]?.size) continue
    settledMinutes += 1
    if (Math.abs(celsius - (wanted[minute] ?? 0)) < 8) within += 1
  }
  expect(settledMinutes).toBeGreaterThan(5_000)
  expect(within / settledMinutes).toBeGreaterThan(0.95)
})

test('a step does not depend on how often the model is asked', () => {
  const once = modelOf(profileOf('injection-press'))
  const often = modelOf(profileOf('injection-press'))
  once.advance(workAt + hourMs)
  for (let at = workAt; at <= workAt + hourMs; at += 700) often.advance(at)
  often.advance(workAt + hourMs)
  expect(often.at).toBe(once.at)
  expect(often.values()).toEqual(once.values())
})

test('a planned fault comes at its time, whatever the random ones do', () => {
  const chiller = profileOf('ammonia-chiller')
  const told = [{ id: 'condenser', fullAt: workAt + 13 * hourMs }]
  const model = createMachineModel({ profile: chiller, machineCode: codes[0], startAt: workAt, told })
  model.advance(workAt + 13 * hourMs, coarseStepMs)
  expect([...model.alarms()]).toContain('HP-AL')
  model.advance(workAt + 15 * hourMs, coarseStepMs)
  expect([...model.alarms()]).not.toContain('HP-AL')
})

test('set-points are checked and honoured', () => {
  const model = modelOf(demoTank, workAt, '0'.repeat(19))
  expect(model.write('level', 10)).toBe('readOnly')
  expect(model.write('nothing', 10)).toBe('unknownTag')
  expect(model.write('level_sp', 95)).toBe('outOfRange')
  expect(model.write('level_sp', true)).toBe('wrongType')
  expect(model.write('level_sp', Number.NaN)).toBe('wrongType')
  expect(model.write('level_sp', 85)).toBe('written')
  model.advance(workAt + 25 * minuteMs)
  expect(reader(model, 'level')()).toBeGreaterThan(75)
})

test('the demo machine is put back at the full hour', () => {
  const model = modelOf(demoTank, workAt + 10 * minuteMs, '0'.repeat(19))
  const setPoint = demoTank.tags.findIndex((tag) => tag.name === 'level_sp')
  const automatic = demoTank.tags.findIndex((tag) => tag.name === 'pump_auto')
  model.write('level_sp', 85)
  model.write('pump_on', false)
  model.advance(workAt + hourMs - 1_000)
  expect([model.values()[setPoint], model.values()[automatic]]).toEqual([85, false])
  model.advance(workAt + hourMs)
  expect([model.values()[setPoint], model.values()[automatic]]).toEqual([60, true])
})
