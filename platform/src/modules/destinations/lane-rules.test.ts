import { expect, test } from 'vitest'
import { type FormerLanes, isSent, moveLanes, stillFormer } from './lane-rules.ts'

const choice = {
  ...{ lane: 0, lanes: 1, former: [] as FormerLanes[], hasRows: true, events: [] },
  isActive: () => true,
}
const row = { no: 10, linkId: 5, kind: 'row' as const, text: '"machineCode":"A"}' }

test('a machine is in one lane', () => {
  const lanes = [0, 1, 2].filter((lane) => isSent(row, { ...choice, lanes: 3, lane }))
  expect(lanes).toEqual([2])
})

test('a row about the whole project is in the first lane', () => {
  const gap = { ...row, linkId: null, kind: 'gap' as const }
  expect([0, 1].map((lane) => isSent(gap, { ...choice, lanes: 2, lane }))).toEqual([true, false])
})

test('rows of a machine that ended are left out', () => {
  expect(isSent(row, { ...choice, isActive: (linkId) => linkId !== 5 })).toBe(false)
})

test('an event is sent where it is wanted, and rows are not where only events are', () => {
  const raised = { ...row, kind: 'event' as const, text: '"event":"alarm.raised","machineCode":"A"}' }
  const wanting = { ...choice, hasRows: false, events: ['alarm.raised' as const] }
  expect(isSent(raised, choice)).toBe(false)
  expect(isSent(raised, wanting)).toBe(true)
  expect(isSent({ ...raised, text: '"event":"alarm.cleared"}' }, wanting)).toBe(false)
  expect(isSent(row, wanting)).toBe(false)
})

test('after the number of lanes changed, rows that were delivered are not sent again, and all others are', () => {
  const steps: FormerLanes[] = [
    [40, 25, 90],
    [60, 61],
    [70, 50, 80, 55],
  ]
  let former: readonly FormerLanes[] = []
  const delivered = (linkId: number, no: number) =>
    steps.some((acked) => no <= (acked[linkId % acked.length] ?? 0))
  let ackedNo = 0
  for (const acked of steps) ({ ackedNo, former } = moveLanes(acked, former))
  expect(ackedNo).toBe(50)
  for (let no = ackedNo + 1; no < 100; no++)
    for (let linkId = 0; linkId < 12; linkId++)
      expect(isSent({ ...row, no, linkId }, { ...choice, former }), `${no} of ${linkId}`).toBe(
        !delivered(linkId, no),
      )
  expect(stillFormer(former, 80)).toEqual([[40, 25, 90]])
  expect(stillFormer(former, 90)).toEqual([])
})
