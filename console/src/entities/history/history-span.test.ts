import { limits } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../shared/session/search.ts'
import { historySearch } from './history-search.ts'
import {
  alignRange,
  firstSpan,
  formatSpan,
  lengthOf,
  moveRange,
  niceInterval,
  parseSpan,
  presets,
  rangeOf,
  spanAt,
  zoomRange,
} from './history-span.ts'

const now = Date.UTC(2026, 10, 21, 12)
const hour = 3_600_000

describe('the time an address names', () => {
  it('is the time shown when the address was written', () => {
    for (const span of [
      { kind: 'live', lengthMs: presets['6h'] },
      { kind: 'fixed', from: now - hour, to: now - 5_000 },
    ] as const) {
      const { last, from, until } = formatSpan(span)
      const address = Object.entries({ last, from, until }).flatMap(([name, value]) =>
        value ? [`${name}=${value}`] : [],
      )
      expect(parseSpan(historySearch(parseSearch(`?${address.join('&')}`)))).toEqual(span)
    }
  })

  it('keeps its tags in their order, each once, and drops invalid ones', () => {
    expect(historySearch(parseSearch('?tags=7,3,7,x,-2,0.5&large=true&table=1')).tags).toEqual([7, 3])
    expect(
      historySearch(parseSearch(`?tags=${Array.from({ length: 40 }, (_, i) => i + 1).join()}`)).tags,
    ).toHaveLength(limits.tagsPerHistory)
  })

  it.each(['last=x', 'from=5', 'from=1795262381998&until=5', 'from=5&until=9'])(
    '%s is not a time',
    (address) => {
      expect(parseSpan(historySearch(parseSearch(`?${address}`)))).toBe(undefined)
    },
  )

  it('is limited to the time for which values are kept', () => {
    expect(parseSpan({ last: 1e15 })).toEqual({ kind: 'live', lengthMs: 92 * 24 * hour })
    expect(parseSpan({ last: 1 })).toEqual({ kind: 'live', lengthMs: 1_000 })
  })
})

describe('zooming and moving', () => {
  const range = { from: now - 4 * hour, to: now - 2 * hour }

  it('keeps the time under the pointer where it is', () => {
    const at = range.from + 0.25 * lengthOf(range)
    const zoomed = zoomRange(range, 0.5, at)
    expect(lengthOf(zoomed)).toBe(hour)
    expect((at - zoomed.from) / lengthOf(zoomed)).toBeCloseTo(0.25)
  })

  it('follows the newest data once it reaches it, and stops at now', () => {
    expect(spanAt(moveRange(range, 1), now)).toEqual({ kind: 'live', lengthMs: 2 * hour })
    expect(spanAt(moveRange(range, 9), now)).toEqual({ kind: 'live', lengthMs: 2 * hour })
    expect(spanAt(moveRange(range, -1), now)).toEqual({
      kind: 'fixed',
      from: now - 6 * hour,
      to: now - 4 * hour,
    })
  })

  it('stops following when one moves away', () => {
    const live = rangeOf({ kind: 'live', lengthMs: hour }, now)
    expect(spanAt(moveRange(live, -0.25), now).kind).toBe('fixed')
    expect(spanAt(zoomRange(live, 0.5, live.to), now)).toEqual({ kind: 'live', lengthMs: hour / 2 })
    expect(spanAt(zoomRange(live, 0.5, live.from), now).kind).toBe('fixed')
  })

  it('does not zoom in or out of what can be shown', () => {
    expect(lengthOf(zoomRange(range, 1e-9, now))).toBe(1_000)
    expect(lengthOf(zoomRange(range, 1e9, now))).toBe(92 * 24 * hour)
  })
})

describe('intervals', () => {
  it('are round, few enough, and the same while one moves', () => {
    expect(niceInterval(hour, 400)).toBe(10_000)
    expect(niceInterval(7 * 24 * hour, 400)).toBe(1_800_000)
    expect(niceInterval(1_000, 400)).toBe(1_000)
    const interval = niceInterval(24 * hour, 400)
    const asked = alignRange({ from: now - 24 * hour + 1, to: now + 1 }, interval)
    expect([asked.from % interval, asked.to % interval]).toEqual([0, 0])
    expect(asked.from).toBeLessThanOrEqual(now - 24 * hour + 1)
    expect(asked.to).toBeGreaterThan(now)
  })
})

describe('the first time span', () => {
  it('is the last hour, or as much as reaches back to when the machine last said something', () => {
    expect(firstSpan(true, null, now)).toEqual({ kind: 'live', lengthMs: hour })
    expect(firstSpan(false, now - 20 * hour, now)).toEqual({ kind: 'live', lengthMs: presets['24h'] })
    expect(firstSpan(false, now - 900 * 24 * hour, now)).toEqual({ kind: 'live', lengthMs: presets['90d'] })
  })
})
