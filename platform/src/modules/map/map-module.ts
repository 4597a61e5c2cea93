import {
  type AnswerOf,
  map as contract,
  enterprises,
  type InputOf,
  type Lang,
  machines,
} from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { bind } from '../../kernel/http/bind.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import { countOpenAlarms } from '../alarms/index.ts'
import { requireRight, spaceOfCall } from '../spaces/index.ts'
import { parseArea } from './map-area.ts'
import { countCells, type MapMachine, round } from './map-cells.ts'
import { listPlaced, type MapList } from './map-store.ts'

interface Deps {
  readonly access: Pick<AccessPort, 'list'>
  readonly link: Pick<EdgeLink, 'presence'>
}

const { mapPointsMax, mapStates } = contract

/** Levels by weight, after a place for machines without an alarm. */
const levels: readonly string[] = ['', ...machines.alarmLevels.toReversed()]

/** The state that a level puts a machine in that is online, as lists show it. */
const stateOfLevel: Readonly<Record<string, contract.MapState>> = {
  critical: 'alarm',
  major: 'alarm',
  minor: 'warning',
}

/** The map of a list: where its machines are, and in which state (rules/places.md: map of a list). */
export function createMapModule({ pools }: Pick<Kernel, 'pools'>, { access, link }: Deps): Module {
  const { lists } = pools

  /** The machines in view whose values the caller may see. */
  async function read(
    input: InputOf<typeof contract.getMap>,
    { userId, lang, now }: { readonly userId: number; readonly lang: Lang; readonly now: number },
  ): Promise<MapMachine[]> {
    const { eid, groupId, search = '' } = input
    const kind = input.type === enterprises.deviceTypes.maintenance ? 'maintained' : 'owned'
    const list: MapList = eid === undefined ? { userId } : { eid, kind }
    const placed = await listPlaced(lists, list, { groupId, search }, parseArea(input.bbox), { userId, lang })
    const rights = await access.list(
      userId,
      placed.map(({ machine_id }) => machine_id),
      now,
    )
    // A machine that somebody only has in the list has no place for them, and is not counted either.
    const seen = placed.filter(({ machine_id }) => rights.get(machine_id)?.rights.has('holder'))
    const ids = seen.map(({ machine_id }) => machine_id)
    const [presence, alarms] = await Promise.all([
      link.presence(ids),
      countOpenAlarms(lists, ids, new Date(now)),
    ])
    const wished = input.state && mapStates.indexOf(input.state)
    return seen
      .map(({ machine_id: id, lng, lat }): MapMachine => {
        const worst = alarms.get(id)?.worst ?? ''
        const isOnline = presence.get(id)?.online === true
        const state = isOnline ? (stateOfLevel[worst] ?? 'online') : 'offline'
        return { id, lng, lat, state: mapStates.indexOf(state), level: levels.indexOf(worst) }
      })
      .filter(({ state }) => wished === undefined || state === wished)
  }

  return {
    name: 'map',
    roles: ['api'],
    routes: [
      bind(contract.getMap, async (input, { user: { userId }, lang, now }) => {
        if (input.eid !== undefined) await requireRight(lists, userId, spaceOfCall(userId, input.eid))
        return present(await read(input, { userId, lang, now }), input.zoom)
      }),
    ],
  }
}

function present(seen: readonly MapMachine[], zoom: number): AnswerOf<typeof contract.getMap> {
  const total = seen.length
  if (total > mapPointsMax) return { total, points: [], cells: countCells(seen, zoom) }
  const points = seen.map(({ id, lng, lat, state, level }): [number, number, number, number, number] => [
    id,
    round(lng),
    round(lat),
    state,
    level,
  ])
  return { total, points, cells: [] }
}
