import { describe, expect, test } from 'vitest'
import { createChangeFilter } from './change-filter.ts'
import { createMachineModel, processStepMs } from './machine-model.ts'
import { demoTank, trades } from './trades/index.ts'
import { hourMs } from './trades/trade.ts'

const startAt = Date.UTC(2026, 4, 11, 3, 0, 0)
const codes = ['3020882951040806712', '1729154364880872672', '1721968049116620521']
const all = [...trades, demoTank]

describe.each(all.map((trade) => [trade.id, trade] as const))('%s', (_id, trade) => {
  test('stays within what its tags declare for a day, develops a fault and gets over it', () => {
    for (const code of codes) {
      const model = createMachineModel(trade, code, startAt)
      const raisedIds = new Set<string>()
      let clearSteps = 0
      const seen = trade.tags.map(() => new Set<unknown>())
      for (let at = startAt; at < startAt + 24 * hourMs; at += processStepMs) {
        model.advance(at + processStepMs)
        for (const [index, value] of model.values().entries()) {
          const tag = trade.tags[index]
          if (tag === undefined) throw new Error('a value without a tag')
          if ((seen[index]?.size ?? 0) < 3) seen[index]?.add(value)
          const fits =
            tag.type === 'bool'
              ? typeof value === 'boolean'
              : tag.type === 'string'
                ? typeof value === 'string'
                : Number(value) >= (tag.min ?? -Infinity) && Number(value) <= (tag.max ?? Infinity)
          if (!fits)
            expect.unreachable(`${tag.name} = ${value} at ${new Date(at).toISOString()}, seed ${code}`)
        }
        if (model.alarms().size === 0) clearSteps += 1
        for (const id of model.alarms()) raisedIds.add(id)
      }
      expect([...raisedIds], `alarms of seed ${code}`).not.toEqual([])
      expect(clearSteps / 43_200, `share of the day without an alarm, seed ${code}`).toBeGreaterThan(0.6)
      for (const [index, tag] of trade.tags.entries()) {
        if (!tag.writable) expect(seen[index]?.size, `${tag.name} never moved`).toBeGreaterThan(1)
      }
    }
  })

  test('gives the same values for the same code, others for another', () => {
    const trace = (code: string) => {
      const model = createMachineModel(trade, code, startAt)
      const samples: unknown[] = []
      for (let minute = 1; minute <= 60; minute += 1) {
        model.advance(startAt + minute * 60_000)
        samples.push(model.values(), [...model.alarms()])
      }
      return JSON.stringify(samples)
    }
    expect(trace(codes[0] ?? '')).toBe(trace(codes[0] ?? ''))
    expect(trace(codes[0] ?? '')).not.toBe(trace(codes[1] ?? ''))
  })

  test('sends two to four values a step', () => {
    const model = createMachineModel(trade, codes[0] ?? '', startAt)
    const filter = createChangeFilter(trade.tags)
    let sent = 0
    const steps = 3_600
    for (let step = 1; step <= steps; step += 1) {
      model.advance(startAt + step * processStepMs)
      sent += filter.take(model.values(), model.at).length
    }
    expect(sent / steps).toBeGreaterThan(1.5)
    expect(sent / steps).toBeLessThan(4.5)
  })
})

test('a step does not depend on how often the model is asked', () => {
  const press = trades[0]
  if (press === undefined) throw new Error('no trades')
  const once = createMachineModel(press, codes[0] ?? '', startAt)
  const often = createMachineModel(press, codes[0] ?? '', startAt)
  once.advance(startAt + hourMs)
  for (let at = startAt; at <= startAt + hourMs; at += 700) often.advance(at)
  often.advance(startAt + hourMs)
  expect(often.at).toBe(once.at)
  expect(often.values()).toEqual(once.values())
})

test('set-points are checked and honoured', () => {
  const model = createMachineModel(demoTank, '0'.repeat(19), startAt)
  expect(model.write('level', 10)).toBe('readOnly')
  expect(model.write('nothing', 10)).toBe('unknownTag')
  expect(model.write('level_sp', 95)).toBe('outOfRange')
  expect(model.write('level_sp', true)).toBe('wrongType')
  expect(model.write('level_sp', Number.NaN)).toBe('wrongType')
  expect(model.write('level_sp', 85)).toBe('written')
  const level = demoTank.tags.findIndex((tag) => tag.name === 'level')
  model.advance(startAt + 25 * 60_000)
  expect(model.values()[level]).toBeGreaterThan(75)
})

test('the demo machine is put back at the full hour', () => {
  const model = createMachineModel(demoTank, '0'.repeat(19), startAt + 10 * 60_000)
  const setPoint = demoTank.tags.findIndex((tag) => tag.name === 'level_sp')
  const automatic = demoTank.tags.findIndex((tag) => tag.name === 'pump_auto')
  model.write('level_sp', 85)
  model.write('pump_on', false)
  model.advance(startAt + hourMs - processStepMs)
  expect([model.values()[setPoint], model.values()[automatic]]).toEqual([85, false])
  model.advance(startAt + hourMs)
  expect([model.values()[setPoint], model.values()[automatic]]).toEqual([60, true])
})
