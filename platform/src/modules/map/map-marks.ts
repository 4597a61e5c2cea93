import { map as contract, machines } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { countOpenAlarms } from '../alarms/index.ts'
import { type MapMachine, squareOf } from './map-cells.ts'
import type { PlacedMachine } from './map-store.ts'

const { mapStates } = contract

/** Levels by weight, after a place for machines without an alarm. */
const levels: readonly string[] = ['', ...machines.alarmLevels.toReversed()]

/** The state that a level puts a machine in that is online, as lists show it. */
const stateOfLevel: Readonly<Record<string, contract.MapState>> = {
  critical: 'alarm',
  major: 'alarm',
  minor: 'warning',
}

/** Where the states of machines are read, as for lists. */
export interface MarkSources {
  readonly db: Kysely<DB>
  readonly link: Pick<EdgeLink, 'presence'>
}

/** The state of each of these machines now. */
export async function readMarks(
  { db, link }: MarkSources,
  placed: readonly PlacedMachine[],
  now: number,
): Promise<MapMachine[]> {
  const ids = placed.map(({ machine_id }) => machine_id)
  const [presence, alarms] = await Promise.all([
    link.presence(ids),
    ids.length === 0 ? undefined : countOpenAlarms(db, ids, new Date(now)),
  ])
  return placed.map(({ machine_id: id, lng, lat }) => {
    const worst = alarms?.get(id)?.worst ?? ''
    const isOnline = presence.get(id)?.online === true
    const state = isOnline ? (stateOfLevel[worst] ?? 'online') : 'offline'
    const square = squareOf({ lng, lat })
    return { id, lng, lat, ...square, state: mapStates.indexOf(state), level: levels.indexOf(worst) }
  })
}
