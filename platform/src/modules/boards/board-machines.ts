import {
  type BoardLayout,
  type BoardTag,
  type boards as contract,
  type Lang,
  listMachineRefs,
  listTileMachines,
  listTileTags,
  type MachineRef,
  mapMachines,
  type Tile,
} from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { AccessPort } from '../access/index.ts'
import { listNames } from '../machine-names/index.ts'
import { presentValue, type Telemetry } from '../telemetry/index.ts'
import { type BoardBody, type Db, listMachines } from './boards-store.ts'

export interface MachinesDeps {
  readonly db: Db
  readonly access: Pick<AccessPort, 'listVisible' | 'on'>
  readonly telemetry: Pick<Telemetry, 'listNamedTags' | 'listTagNames'>
  readonly link: Pick<EdgeLink, 'latest' | 'presence'>
}

/** A caller with the language of their answers. */
export interface Reader {
  readonly userId: number
  readonly lang: Lang
  readonly now: number
}

/** The code in a file for a device that its writer may not see. */
const hiddenCode = '0'.repeat(19)

const isId = (machine: MachineRef): machine is number => typeof machine === 'number'

interface SeenDeps {
  readonly access: Pick<AccessPort, 'listVisible'>
}

/** Tells the machines of a layout that the reader may not see. */
async function findHidden(
  { access }: SeenDeps,
  { userId, now }: Pick<Reader, 'userId' | 'now'>,
  layout: BoardLayout,
): Promise<(machine: MachineRef) => boolean> {
  const seen = await access.listVisible(userId, listMachineRefs(layout).filter(isId), now)
  return (machine) => isId(machine) && !seen.has(machine)
}

/**
 * A layout as it is stored when written by a person who got it without the names of `hideUnseen`: a tile of a machine
 * that they may not see keeps its contents, and is moved or removed.
 */
export async function keepUnseen(
  deps: SeenDeps,
  writer: Pick<Reader, 'userId' | 'now'>,
  stored: BoardLayout,
  written: BoardLayout,
): Promise<BoardLayout> {
  const isHidden = await findHidden(deps, writer, stored)
  const kept = new Map(
    stored.tiles.filter((tile) => listTileMachines(tile).some(isHidden)).map((tile) => [tile.id, tile]),
  )
  const keep = (tile: Tile): Tile => {
    const former = kept.get(tile.id)
    return former ? { ...former, x: tile.x, y: tile.y, w: tile.w, h: tile.h } : tile
  }
  return { ...written, tiles: written.tiles.map(keep) }
}

/**
 * A layout without the names of variables of machines that the reader may not see. Their tiles stay, so that the page
 * can explain why they are empty; a title may name the machine, so it is removed if nothing of the tile is visible.
 */
export async function hideUnseen(
  deps: SeenDeps,
  reader: Pick<Reader, 'userId' | 'now'>,
  layout: BoardLayout,
): Promise<BoardLayout> {
  const isHidden = await findHidden(deps, reader, layout)
  const hide = (tag: BoardTag): BoardTag =>
    isHidden(tag.machine) ? { machine: tag.machine, group: '', tag: '-' } : tag
  const hideTile = (tile: Tile): Tile => {
    const machines = listTileMachines(tile)
    if (!machines.some(isHidden)) return tile
    const shown = machines.every(isHidden) ? { ...tile, title: '' } : tile
    if ('tag' in shown) return { ...shown, tag: hide(shown.tag) }
    return 'tags' in shown ? { ...shown, tags: shown.tags.map(hide) } : shown
  }
  return { ...layout, tiles: layout.tiles.map(hideTile) }
}

/** A board as a file: machines by their codes. */
export async function toFile(
  deps: MachinesDeps,
  reader: Reader,
  { name, layout }: BoardBody,
): Promise<contract.BoardFile> {
  const seen = await deps.access.listVisible(reader.userId, listMachineRefs(layout).filter(isId), reader.now)
  const codes = new Map(
    (await listMachines(deps.db, { ids: [...seen] })).map(({ id, code }) => [id, code] as const),
  )
  const shown = await hideUnseen(deps, reader, layout)
  return {
    format: 'busbar-board',
    formatVersion: 1,
    name,
    layout: mapMachines(shown, (machine) => (isId(machine) ? (codes.get(machine) ?? hiddenCode) : machine)),
  }
}

/**
 * The layout of a file with the machines that the reader may see here. Others keep their code: the tile is there, and its
 * device can be chosen.
 */
export async function fromFile(
  deps: MachinesDeps,
  reader: Reader,
  file: BoardLayout,
): Promise<{
  layout: BoardLayout
  unknownMachines: string[]
  unknownTags: { machineCode: string; group: string; tag: string }[]
}> {
  // An id in a file may be that of another machine here.
  const named = mapMachines(file, (machine) => (isId(machine) ? hiddenCode : machine))
  const isCode = (machine: MachineRef): machine is string => !isId(machine) && machine !== '$machine'
  const codes = listMachineRefs(named).filter(isCode)
  const found = await listMachines(deps.db, { codes })
  const seen = await deps.access.listVisible(
    reader.userId,
    found.map(({ id }) => id),
    reader.now,
  )
  const ids = new Map(found.filter(({ id }) => seen.has(id)).map(({ id, code }) => [code, id]))
  const layout = mapMachines(named, (machine) => (isCode(machine) ? (ids.get(machine) ?? machine) : machine))
  const codeOf = new Map(found.map(({ id, code }) => [id, code]))
  const tags = listLayoutTags(layout)
  const known = await deps.telemetry.listNamedTags(tags, reader.lang)
  const keys = new Set(known.map(({ machineId, wireGroup, tag }) => keyOf(machineId, wireGroup, tag)))
  return {
    layout,
    unknownMachines: codes.filter((code) => !ids.has(code)),
    unknownTags: tags
      .filter(({ machineId, group, tag }) => !keys.has(keyOf(machineId, group, tag)))
      .map(({ machineId, group, tag }) => ({ machineCode: codeOf.get(machineId) ?? hiddenCode, group, tag })),
  }
}

const keyOf = (machineId: number, group: string, tag: string) => JSON.stringify([machineId, group, tag])

/** The variables of known machines that a layout names, each once. */
function listLayoutTags(layout: BoardLayout) {
  const tags = new Map<string, { machineId: number; group: string; tag: string }>()
  for (const { machine, group, tag } of layout.tiles.flatMap(listTileTags))
    if (isId(machine)) tags.set(keyOf(machine, group, tag), { machineId: machine, group, tag })
  return [...tags.values()]
}

const noNames: Awaited<ReturnType<Telemetry['listTagNames']>> = new Map()

/** Machines and variables with their newest values, as far as the reader may see them. */
export async function lookUp(
  deps: MachinesDeps,
  reader: Reader,
  wanted: {
    readonly tags: readonly { readonly machine: number; readonly group: string; readonly tag: string }[]
    readonly tagIds: readonly number[]
    readonly machines: readonly number[]
  },
): Promise<{ machines: contract.BoardMachine[]; tags: contract.BoardTagFound[] }> {
  const byId = wanted.tagIds.length > 0 ? await deps.telemetry.listTagNames(wanted.tagIds) : noNames
  const wantedTags = [
    ...wanted.tags.map(({ machine, group, tag }) => ({ machineId: machine, group, tag })),
    ...Array.from(byId.values(), ({ machineId, group, name }) => ({ machineId, group, tag: name })),
  ]
  const asked = [...new Set([...wanted.machines, ...wantedTags.map(({ machineId }) => machineId)])]
  const seen = await deps.access.listVisible(reader.userId, asked, reader.now)
  const ids = [...seen]
  const [rows, names, presence, tags] = await Promise.all([
    listMachines(deps.db, { ids }),
    listNames(deps.db, reader.userId, ids),
    deps.link.presence(ids),
    deps.telemetry.listNamedTags(
      wantedTags.filter(({ machineId }) => seen.has(machineId)),
      reader.lang,
    ),
  ])
  const latest = await listLatest(deps, tags)
  return {
    machines: rows.map(({ id, code, type, photo }) => ({
      id,
      code,
      type,
      photo,
      name: names.get(id) ?? '',
      online: presence.get(id)?.online === true,
    })),
    tags: tags.map((tag) => ({ ...tag, latest: latest.get(tag.tagId) ?? null })),
  }
}

/** The newest values of tags, with one query a machine; left out for machines that cannot be reached. */
async function listLatest(
  { link }: Pick<MachinesDeps, 'link'>,
  tags: readonly { readonly machineId: number; readonly tagId: number }[],
) {
  const byMachine = Map.groupBy(tags, ({ machineId }) => machineId)
  const answers = await Promise.allSettled(
    [...byMachine].map(([machineId, own]) =>
      link.latest(
        machineId,
        own.map(({ tagId }) => tagId),
      ),
    ),
  )
  const values = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  return new Map(
    values.map((value) => [value.tagId, { ...value, value: presentValue(value.value) }] as const),
  )
}
