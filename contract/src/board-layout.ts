import { z } from 'zod'
import { boardLimits, machineVariable } from './board-limits.ts'
import { id, instant, linesText, machineCode, shortText, stop } from './fields.ts'
import { limits } from './limits.ts'
import { alarmLevels } from './machines.ts'

/**
 * A device in a layout: its id, the one that is chosen when the board is opened, or the code of one that was not found
 * when the board was imported.
 */
export const machineRef = z.union([id, z.literal(machineVariable), machineCode])
export type MachineRef = z.output<typeof machineRef>

/** A variable by the names its device gives it, so that the tile outlives a change of the variable’s type. */
export const boardTag = z.strictObject({
  machine: machineRef,
  group: z.string().max(boardLimits.tagGroupMax, stop),
  tag: z.string().min(1).max(boardLimits.tagNameMax, stop),
})
export type BoardTag = z.output<typeof boardTag>

/** The time that every tile of a board shows: the last stretch of it, or one between two instants. */
export const boardRange = z.union([
  z.strictObject({ lastMs: z.int().min(boardLimits.rangeMsMin).max(boardLimits.rangeMsMax) }),
  z.strictObject({ from: instant, to: instant }),
])
export type BoardRange = z.output<typeof boardRange>

const columns = z.int().min(0).max(boardLimits.columns)
const rows = z.int().min(0).max(boardLimits.boardRowsMax)

const base = {
  id: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, { message: 'tileId' }),
  x: columns,
  y: rows,
  w: columns.min(1),
  h: rows.min(1),
  title: shortText(0, boardLimits.tileTitleMax).default(''),
} as const

const tagsTo = (max: number) => z.array(boardTag).min(1).max(max)
/** An end of a scale; null: the variable’s own limit. */
const end = z.number().min(-1e15).max(1e15).nullable().default(null)

const tileKinds = {
  value: z.strictObject({
    ...base,
    type: z.literal('value'),
    tag: boardTag,
    /** Without it the newest value; `rise`: that of a counter over the board’s time. */
    figure: z.enum(['now', 'rise']).optional(),
  }),
  state: z.strictObject({ ...base, type: z.literal('state'), tag: boardTag }),
  gauge: z.strictObject({ ...base, type: z.literal('gauge'), tag: boardTag, min: end, max: end }),
  bar: z.strictObject({
    ...base,
    type: z.literal('bar'),
    tags: tagsTo(boardLimits.tagsPerBar),
    min: end,
    max: end,
  }),
  trend: z.strictObject({
    ...base,
    type: z.literal('trend'),
    tags: tagsTo(boardLimits.tagsPerTrend),
    axes: z.enum(['one', 'several']).default('several'),
  }),
  strip: z.strictObject({ ...base, type: z.literal('strip'), tags: tagsTo(boardLimits.tagsPerStrip) }),
  table: z.strictObject({ ...base, type: z.literal('table'), tags: tagsTo(boardLimits.tagsPerTable) }),
  alarms: z.strictObject({
    ...base,
    type: z.literal('alarms'),
    machines: z.array(machineRef).max(boardLimits.machinesPerTile),
    level: z.enum(alarmLevels).default('info'),
  }),
  picture: z.strictObject({
    ...base,
    type: z.literal('picture'),
    machine: machineRef,
    tags: z.array(boardTag).max(boardLimits.tagsPerPicture),
  }),
  text: z.strictObject({ ...base, type: z.literal('text'), text: linesText(boardLimits.tileTextMax) }),
  page: z.strictObject({
    ...base,
    type: z.literal('page'),
    machine: machineRef,
  }),
} as const

export const tile = z.discriminatedUnion('type', [
  tileKinds.value,
  tileKinds.state,
  tileKinds.gauge,
  tileKinds.bar,
  tileKinds.trend,
  tileKinds.strip,
  tileKinds.table,
  tileKinds.alarms,
  tileKinds.picture,
  tileKinds.text,
  tileKinds.page,
])
export type Tile = z.output<typeof tile>
export type TileType = Tile['type']

const boardVariable = z.strictObject({ machineType: z.string().min(1).max(limits.machineTypeMax) }).nullable()

function namesVariable(one: Tile): boolean {
  const tags = 'tags' in one ? one.tags : 'tag' in one ? [one.tag] : []
  const machines = 'machines' in one ? one.machines : 'machine' in one ? [one.machine] : []
  return [...tags.map(({ machine }) => machine), ...machines].includes(machineVariable)
}

/** The contents of a board: tiles on a grid of 24 columns. */
export const boardLayout = z
  .strictObject({
    variable: boardVariable,
    range: boardRange,
    tiles: z.array(tile).max(boardLimits.tilesPerBoard),
  })
  .refine(({ tiles }) => new Set(tiles.map((one) => one.id)).size === tiles.length, {
    message: 'tileId',
    path: ['tiles'],
  })
  .refine(({ tiles }) => tiles.every(({ x, w }) => x + w <= boardLimits.columns), {
    message: 'columns',
    path: ['tiles'],
  })
  .refine(({ tiles }) => tiles.every(({ y, h }) => y + h <= boardLimits.boardRowsMax), {
    message: 'rows',
    path: ['tiles'],
  })
  .refine(({ range }) => !('from' in range) || range.from < range.to, { message: 'range', path: ['range'] })
  .refine((layout) => layout.variable !== null || !layout.tiles.some(namesVariable), {
    message: 'variable',
    path: ['variable'],
  })
export type BoardLayout = z.output<typeof boardLayout>
