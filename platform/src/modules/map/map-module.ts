import { type AnswerOf, map as contract, enterprises, type InputOf, type Lang } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { hidesMap } from '../../kernel/database/place-of.ts'
import { bind } from '../../kernel/http/bind.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort, EnterpriseList } from '../access/index.ts'
import { requireRight, spaceOfCall } from '../spaces/index.ts'
import { isInArea, parseArea } from './map-area.ts'
import { countCells, type MapMachine, round } from './map-cells.ts'
import { MapFleets } from './map-fleets.ts'
import { readMarks } from './map-marks.ts'
import { hasMoreThan, listMatching, listPlaced, type MapList } from './map-store.ts'

interface Deps {
  readonly access: Pick<AccessPort, 'list' | 'holdsIn'>
  readonly link: Pick<EdgeLink, 'presence'>
}

type Input = InputOf<typeof contract.getMap>

interface Reader {
  readonly userId: number
  readonly lang: Lang
  readonly now: number
}

const { mapPointsMax, mapStates } = contract

/** The map of a list: where its machines are, and in which state (rules/places.md: map of a list). */
export function createMapModule(
  { pools, logger, now }: Pick<Kernel, 'pools' | 'logger' | 'now'>,
  { access, link }: Deps,
): Module {
  const { lists } = pools
  const fleets = new MapFleets({ db: lists, link, logger, now })

  /** The machines in view whose values the caller may see, from their sources. */
  async function read(list: MapList, input: Input, { userId, lang, now }: Reader): Promise<MapMachine[]> {
    const placed = await listPlaced(lists, list, filterOf(input), {
      area: parseArea(input.bbox),
      reader: { userId, lang },
    })
    const rights = await access.list(
      userId,
      placed.map(({ machine_id }) => machine_id),
      now,
    )
    // A machine that somebody only has in the list has no place for them, and is not counted either.
    const held = placed.filter(({ machine_id }) => rights.get(machine_id)?.rights.has('holder'))
    return readMarks({ db: lists, link }, held, now)
  }

  /** The same of a list that is too large for that. */
  async function pick(list: EnterpriseList, input: Input, { userId, now }: Reader): Promise<MapMachine[]> {
    if (await hidesMap(lists, userId)) return []
    const filter = filterOf(input)
    const isWhole = filter.groupId === undefined && filter.search === ''
    const [marks, holds, matching] = await Promise.all([
      fleets.marksOf(list),
      access.holdsIn(userId, list, now),
      isWhole ? undefined : listMatching(lists, list, filter),
    ])
    const area = parseArea(input.bbox)
    const picked: MapMachine[] = []
    for (const mark of marks.values())
      if (isInArea(area, mark) && holds(mark.id) && (matching?.has(mark.id) ?? true)) picked.push(mark)
    return picked
  }

  return {
    name: 'map',
    roles: ['api'],
    follows: [fleets.follower],
    stop: () => fleets.stop(),
    routes: [
      bind(contract.getMap, async (input, { user: { userId }, lang, now }) => {
        const reader = { userId, lang, now }
        const { eid, type } = input
        if (eid === undefined) return present(await read({ userId }, input, reader), input)
        await requireRight(lists, userId, spaceOfCall(userId, eid))
        const kind = type === enterprises.deviceTypes.maintenance ? 'maintained' : 'owned'
        const list: EnterpriseList = { eid, kind }
        const isLarge = await hasMoreThan(lists, list, mapPointsMax)
        return present(await (isLarge ? pick : read)(list, input, reader), input)
      }),
    ],
  }
}

const filterOf = ({ groupId, search = '' }: Input) => ({ groupId, search })

function present(
  inView: readonly MapMachine[],
  { state: wished, zoom }: Pick<Input, 'state' | 'zoom'>,
): AnswerOf<typeof contract.getMap> {
  const place = wished && mapStates.indexOf(wished)
  const seen = place === undefined ? inView : inView.filter(({ state }) => state === place)
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
