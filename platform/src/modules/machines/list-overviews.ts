import { machines as contract, type Lang } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Access } from '../access/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { listStrips } from './connection-strips.ts'
import { endedOf } from './ended-sparks.ts'
import { type KeyValueRow, listKeyValues } from './key-values-store.ts'
import { presentKeyValue } from './key-values-views.ts'
import type { Db } from './machines-store.ts'

export type Overview = contract.MachineItem['overview']

/** The sources of a list's overviews. */
export interface OverviewSources {
  /** Connections of whole lists. */
  readonly lists: Db
  readonly link: Pick<EdgeLink, 'latestHeld'>
  readonly telemetry: Pick<Telemetry, 'listKeyTags' | 'sparks' | 'peekSparks'>
}

/** Key value, last hour and 24 hours of the machines of a list, as one caller sees them. */
export interface Overviews {
  /** The earliest time at which one of them changes without anybody's action, epoch milliseconds. */
  readonly until: number
  /** The ended buckets of all sparklines, as they were read. */
  readonly ended: Float64Array
  /** The same now; undefined if memory does not have all of them. */
  endedNow(): Float64Array | undefined
  /** For one machine; null if the caller may not see values. */
  of(machineId: number, access: Access, online: boolean): Overview
}

const emptySpark = (): null[] => Array(24).fill(null)
export const emptyStrip = (): number[] => Array(24).fill(contract.stripStates.unknown)

/** Reads the overviews of machines. Key values are those that the caller chose for their own list, else the machine's. */
export async function readOverviews(
  { lists, link, telemetry }: OverviewSources,
  machineIds: readonly number[],
  caller: { readonly userId: number; readonly lang: Lang; readonly now: number },
): Promise<Overviews> {
  const [keyValues, strips] = await Promise.all([
    listKeyValues(lists, telemetry, caller.userId, machineIds),
    listStrips(lists, machineIds, caller.now),
  ])
  const tags = [...keyValues.values()].map((row) => ({
    machineId: row.machine_id,
    tagId: row.tag_id,
    ownedSince: row.owned_since,
  }))
  const tagIds = tags.map(({ tagId }) => tagId)
  const sparks = await telemetry.sparks(tagIds)
  // Last, so that they are as they are now.
  const newest = await link.latestHeld(tags)
  const keyTagOf = (row: KeyValueRow | undefined, online: boolean) =>
    row ? presentKeyValue(row, caller.lang, online, newest.get(row.tag_id)) : null
  return {
    until: strips.until,
    ended: endedOf(tagIds, sparks),
    endedNow: () => telemetry.peekSparks(tagIds),
    of(machineId, access, online) {
      if (!access.rights.has('visitor+')) return null
      const row = keyValues.get(machineId)
      return {
        keyTag: keyTagOf(row, online),
        spark: (row && sparks.get(row.tag_id)) ?? emptySpark(),
        strip24h: strips.of.get(machineId) ?? emptyStrip(),
      }
    },
  }
}

/**
 * The part of an overview that counts for a list's version: key values come by push, and the running bucket moves on by
 * itself.
 */
export function versionOfOverview(overview: Overview): unknown {
  if (!overview) return overview
  const { keyTag, spark, strip24h } = overview
  const tag = keyTag && [keyTag.tagId, keyTag.name, keyTag.unit, keyTag.scale]
  return [tag, spark.slice(0, -1), strip24h]
}
