import type { visits as contract, telemetry } from '@busbar/contract'

export type Value = telemetry.TagValue

/** A writing of a visit's person. */
export interface OwnWrite {
  readonly way: contract.ChangeWay
  /** Null: a place that no variable has. */
  readonly tagId: number | null
  readonly port: string | null
  readonly unit: number | null
  readonly place: string | null
  /** Before it, where that is known. */
  readonly from: Value
  /** Afterwards; of a place with a variable in the numbers of the controller. */
  readonly to: Value
  /** Epoch milliseconds. */
  readonly at: number
}

/** A change, without the names of its variable. */
export interface Change extends Pick<OwnWrite, 'tagId' | 'port' | 'unit' | 'place' | 'from' | 'to' | 'at'> {
  readonly ways: readonly contract.ChangeWay[]
}

export interface Drift {
  readonly tagId: number
  readonly from: Value
  readonly to: Value
}

/** Values by the ids of their variables. */
export type Values = ReadonlyMap<number, Value>

/**
 * The values that a visit's person left different, each once, by their writings in the order of time; and those that
 * became different without a writing of anybody.
 */
export function compareVisit(visit: {
  readonly before: Values
  readonly after: Values
  readonly own: readonly OwnWrite[]
  /** Variables that somebody else wrote meanwhile. */
  readonly others: ReadonlySet<number>
}): { changes: Change[]; drifts: Drift[] } {
  const { before, after, own, others } = visit
  const byPlace = new Map<string, OwnWrite[]>()
  for (const write of own) {
    const key = write.tagId === null ? `${write.port}\n${write.unit}\n${write.place}` : String(write.tagId)
    byPlace.set(key, [...(byPlace.get(key) ?? []), write])
  }
  const changes = [...byPlace.values()].map((writes) => changeOf(writes, before, after))
  const written = new Set(own.map(({ tagId }) => tagId))
  const drifts = [...after].flatMap(([tagId, to]) => {
    const from = before.get(tagId)
    const isOwn = written.has(tagId) || others.has(tagId)
    return isOwn || from === undefined || from === to ? [] : [{ tagId, from, to }]
  })
  return {
    changes: changes.filter(({ from, to }) => from !== to || from === null).sort((a, b) => a.at - b.at),
    drifts,
  }
}

function changeOf(writes: readonly OwnWrite[], before: Values, after: Values): Change {
  const [first, last] = [writes[0], writes.at(-1)] as [OwnWrite, OwnWrite]
  const { tagId, port, unit, place } = last
  const ways = [...new Set(writes.map(({ way }) => way))]
  const about = { tagId, port, unit, place, ways, at: last.at }
  if (tagId === null) return { ...about, from: first.from, to: last.to }
  // A tool writes the controller's own numbers: their meaning is known only from the variable.
  const from = first.way === 'port' ? (before.get(tagId) ?? null) : (first.from ?? before.get(tagId) ?? null)
  const to = last.way === 'port' ? (after.get(tagId) ?? null) : last.to
  return { ...about, from, to }
}
