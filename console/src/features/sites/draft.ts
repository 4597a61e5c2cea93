import type { Site } from './site-queries.ts'

/** Where a machine stands. */
export interface Place {
  readonly planId: number
  /** Parts of the picture's width and height. */
  readonly x: number
  readonly y: number
}

/** The places that an editor changed and has not saved, by machine; null: taken off. */
export type Draft = ReadonlyMap<number, Place | null>

/**
 * The places of a site's machines with an editor's changes over them. The changes are by machine: what another editor
 * did to other machines in the meantime stays.
 */
export function placesOf(site: Site, draft: Draft): Map<number, Place> {
  const places = new Map(
    site.plans.flatMap(({ id: planId, machines }) =>
      machines.map(({ machineId, x, y }) => [machineId, { planId, x, y }] as const),
    ),
  )
  for (const [machineId, place] of draft) {
    if (place === null) places.delete(machineId)
    else if (site.plans.some(({ id }) => id === place.planId)) places.set(machineId, place)
  }
  return places
}

/** The request of one call to a plan. */
export interface PlanChange {
  readonly planId: number
  readonly place: { readonly machineId: number; readonly x: number; readonly y: number }[]
  readonly takeOff: number[]
}

/** The calls that save a draft, each with at most `max` machines. */
export function changesOf(site: Site, draft: Draft, max: number): PlanChange[] {
  const before = placesOf(site, new Map())
  return site.plans.flatMap(({ id: planId }) => {
    const entries = [...draft].filter(([machineId, place]) =>
      place === null ? before.get(machineId)?.planId === planId : place.planId === planId,
    )
    return chunks(entries, max).map((part) => ({
      planId,
      place: part.flatMap(([machineId, place]) => (place ? [{ machineId, x: place.x, y: place.y }] : [])),
      takeOff: part.flatMap(([machineId, place]) => (place ? [] : [machineId])),
    }))
  })
}

function chunks<Entry>(entries: readonly Entry[], max: number): Entry[][] {
  return Array.from({ length: Math.ceil(entries.length / max) }, (_, n) =>
    entries.slice(n * max, (n + 1) * max),
  )
}
