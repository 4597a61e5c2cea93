import { describe, expect, it } from 'vitest'
import { connections, gapAt, isBroken, knownSpans, openGaps, typicalStep } from './trend-gaps.ts'

const raw = (gaps: Parameters<typeof isBroken>[2]['gaps'], stepMs = 10) => ({ gaps, stepMs, intervalMs: 0 })
const points = (...times: number[]) => times.map((at) => ({ at, value: 1 }))

describe('a line over a gap', () => {
  it('breaks however short the gap is, where samples are drawn', () => {
    expect(isBroken(0, 10, raw([{ from: 4, to: 5 }]))).toBe(true)
  })

  it('does not break at a gap shorter than the interval of an average', () => {
    const rule = { gaps: [{ from: 4, to: 5 }], stepMs: 60, intervalMs: 60 }
    expect(isBroken(0, 60, rule)).toBe(false)
    expect(isBroken(0, 600, { ...rule, gaps: [{ from: 100, to: 400 }] })).toBe(true)
  })

  it('leads on through a gap that was filled later, from its first sample to its last', () => {
    const filled = points(0, 10, 20, 30, 40, 50, 60)
    const gaps = [{ from: 12, to: 48 }]
    expect(connections(filled, raw(gaps, typicalStep(filled)))).toEqual([...Array(6).fill(true), false])
  })

  it('stays open where only a part of it was filled', () => {
    const partly = points(0, 10, 20, 30, 100, 110)
    const leads = connections(partly, raw([{ from: 12, to: 98 }], 10))
    expect(leads).toEqual([true, true, true, false, true, false])
    expect(openGaps([{ from: 12, to: 98 }], knownSpans(partly, leads))).toEqual([{ from: 30, to: 98 }])
  })

  it('always breaks where samples were lost, be it a single one', () => {
    expect(isBroken(0, 20, raw([{ from: 10, to: 10, lost: 1 }]))).toBe(true)
    expect(isBroken(10, 20, raw([{ from: 10, to: 10, lost: 1 }]))).toBe(false)
    expect(isBroken(0, 600, { gaps: [{ from: 10, to: 12, lost: 3 }], stepMs: 600, intervalMs: 600 })).toBe(
      true,
    )
  })

  it('breaks at a sample without a value', () => {
    const leads = connections(
      [
        { at: 0, value: 1 },
        { at: 10, value: null },
        { at: 20, value: 1 },
        { at: 30, value: 1 },
      ],
      raw([]),
    )
    expect(leads).toEqual([false, false, true, false])
  })
})

describe('gaps that are shown', () => {
  it('keep lost samples, whatever other curves know of that time', () => {
    const lost = { from: 10, to: 20, lost: 5 }
    expect(openGaps([lost], [{ from: 0, to: 100 }])).toEqual([lost])
  })

  it('are labelled by lost samples rather than by the machine’s absence', () => {
    const gaps = [
      { from: 0, to: 100 },
      { from: 40, to: 50, lost: 7 },
    ]
    expect(gapAt(gaps, 45)?.lost).toBe(7)
    expect(gapAt(gaps, 60)).toEqual(gaps[0])
    expect(gapAt(gaps, 101)).toBe(undefined)
  })
})
