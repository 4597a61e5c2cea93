import type { visits } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import type { VisitEvent } from '../../shared/api/push-messages.ts'
import { applyVisitEvent, endOf, fromListed, isEnding, mergeListed } from './visit-state.ts'

const minuteMs = 60_000
const me = 1

const listed = (sessionId: number, change: Partial<visits.Visit> = {}): visits.Visit => ({
  sessionId,
  user: { userId: me, name: 'Ming Li', me: true },
  machine: { machineId: 3, machineCode: '3'.repeat(19), name: 'Press' },
  kind: 'page',
  target: 'page',
  mode: 'ro',
  by: 'akey',
  from: sessionId,
  until: 1_000_000,
  project: null,
  idleAt: null,
  releaseAt: null,
  live: true,
  bytesIn: 0,
  bytesOut: 0,
  ports: [],
  controls: false,
  asks: false,
  endedBy: null,
  reason: null,
  note: '',
  ...change,
})

const event = (sessionId: number, change: Partial<VisitEvent> = {}): VisitEvent => ({
  sessionId,
  machineId: 3,
  userId: me,
  user: 'Ming Li',
  target: 'page',
  mode: 'ro',
  until: 1_000_000,
  idleAt: null,
  releaseAt: null,
  ended: false,
  reason: null,
  controls: false,
  asks: false,
  controller: { who: null, me: false, sessionId: null },
  ...change,
})

const wang = { userId: 2, user: 'Wang' }
const heldBy = (sessionId: number, isMine: boolean) => ({
  controls: true,
  mode: 'rw' as const,
  controller: { who: isMine ? 'Ming Li' : 'Wang', me: isMine, sessionId },
})

describe('visits as the push tells of them', () => {
  it('never shows two in control of one machine', () => {
    const before = fromListed([listed(1, { controls: true, mode: 'rw' }), listed(2)])
    const after = applyVisitEvent(before, event(2, heldBy(2, true)), me)
    expect(after.visits.map((visit) => [visit.sessionId, visit.controls])).toEqual([
      [1, false],
      [2, true],
    ])
  })

  it('leaves the controller of another machine alone', () => {
    const other = { machineId: 4, machineCode: '4'.repeat(19), name: 'Oven' }
    const before = fromListed([listed(1, { controls: true, machine: other })])
    const after = applyVisitEvent(before, event(2, { ...wang, ...heldBy(2, false) }), me)
    expect(after.visits[0]?.controls).toBe(true)
    expect(after.controllers[4]?.me).toBe(true)
  })

  it('takes an ended visit away, and keeps who controls the machine then', () => {
    const before = fromListed([listed(1), listed(2)])
    const controller = { who: 'Wang', me: false, sessionId: 9 }
    const after = applyVisitEvent(before, event(1, { ended: true, reason: 'idle', controller }), me)
    expect(after.visits.map((visit) => visit.sessionId)).toEqual([2])
    expect(after.controllers[3]).toEqual(controller)
  })

  it('tells the caller’s visits from others’ even if the event comes before the list', () => {
    const empty = fromListed([])
    expect(applyVisitEvent(empty, event(5), me).visits[0]?.me).toBe(true)
    expect(applyVisitEvent(empty, event(5, wang), me).visits[0]?.me).toBe(false)
    expect(applyVisitEvent(empty, event(5), undefined).visits[0]?.me).toBe(false)
  })

  it('keeps the machine’s name, which an event does not say', () => {
    const after = applyVisitEvent(fromListed([listed(1)]), event(1, { asks: true }), me)
    expect(after.visits).toMatchObject([{ machineName: 'Press', asks: true }])
  })
})

describe('a fresh list', () => {
  it('keeps a request of another person that the list lacks', () => {
    const known = applyVisitEvent(fromListed([listed(1)]), event(7, { ...wang, asks: true }), me)
    const merged = mergeListed(known, fromListed([listed(1)]))
    expect(merged.visits.map((visit) => visit.sessionId)).toEqual([1, 7])
  })

  it('keeps who controls a machine that another person controls', () => {
    const known = applyVisitEvent(
      fromListed([listed(1)]),
      event(1, { controller: heldBy(8, false).controller }),
      me,
    )
    expect(mergeListed(known, fromListed([listed(1)])).controllers[3]?.who).toBe('Wang')
  })

  it('takes control away from the caller if the list says otherwise', () => {
    const known = fromListed([listed(1, { controls: true })])
    expect(mergeListed(known, fromListed([listed(1)])).controllers[3]).toBeUndefined()
  })

  it('drops ended visits of the caller', () => {
    expect(mergeListed(fromListed([listed(1), listed(2)]), fromListed([listed(2)])).visits).toHaveLength(1)
  })
})

describe('the end of a visit', () => {
  it('is the idle end where that comes first, and says so', () => {
    expect(endOf({ until: 900, idleAt: 500 })).toEqual({ at: 500, cause: 'idle' })
    expect(endOf({ until: 400, idleAt: 500 })).toEqual({ at: 400, cause: 'time' })
    expect(endOf({ until: 900, idleAt: null })).toEqual({ at: 900, cause: 'time' })
  })

  it('is warned of five minutes before', () => {
    const visit = { until: 60 * minuteMs, idleAt: 30 * minuteMs }
    expect(isEnding(visit, 25 * minuteMs - 1)).toBe(false)
    expect(isEnding(visit, 25 * minuteMs)).toBe(true)
  })
})
