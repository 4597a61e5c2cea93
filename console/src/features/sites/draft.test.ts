import { describe, expect, it } from 'vitest'
import { changesOf, type Draft, placesOf } from './draft.ts'
import type { Site } from './site-queries.ts'

const siteOf = (plans: Record<number, number[]>) =>
  ({
    plans: Object.entries(plans).map(([id, machines]) => ({
      id: Number(id),
      machines: machines.map((machineId) => ({ machineId, x: 0, y: 0 })),
    })),
  }) as unknown as Site
const at = (planId: number) => ({ planId, x: 0.5, y: 0.5 })

describe('a draft', () => {
  it('moves, places and takes off over what others did in the meantime', () => {
    const draft: Draft = new Map([
      [1, at(20)],
      [2, null],
      [9, at(10)],
    ])
    const places = placesOf(siteOf({ 10: [1, 2, 3], 20: [4] }), draft)
    expect([...places.keys()].toSorted()).toEqual([1, 3, 4, 9])
    expect(places.get(1)).toEqual(at(20))
    // Another editor moved 2 and added 5: 2 is taken off where it is now.
    const newer = siteOf({ 10: [1, 3, 5], 20: [2, 4] })
    expect([...placesOf(newer, draft).keys()].toSorted()).toEqual([1, 3, 4, 5, 9])
    expect(changesOf(newer, draft, 500)).toEqual([
      { planId: 10, place: [{ machineId: 9, x: 0.5, y: 0.5 }], takeOff: [] },
      { planId: 20, place: [{ machineId: 1, x: 0.5, y: 0.5 }], takeOff: [2] },
    ])
  })

  it('is saved in calls of a limited size, and drops plans that are gone', () => {
    const draft: Draft = new Map([1, 2, 3, 4, 5].map((id) => [id, at(10)]))
    expect(changesOf(siteOf({ 10: [] }), draft, 2).map(({ place }) => place.length)).toEqual([2, 2, 1])
    expect(changesOf(siteOf({ 20: [] }), draft, 2)).toEqual([])
    expect(placesOf(siteOf({ 20: [] }), draft).size).toBe(0)
  })
})
