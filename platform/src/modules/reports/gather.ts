import { type reports as contract, type Lang, limits, reportLimits } from '@busbar/contract'
import { chooseText } from '../../kernel/choose-text.ts'
import type { Database } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type NameReader, shownName } from '../access/index.ts'
import { readPeriodAlarms } from '../alarms/index.ts'
import { type FoundTag, gapsOf, listConnectedSpans, type Telemetry } from '../telemetry/index.ts'
import type { Availability, ReportAlarm, ReportTag, TagFigures, Trend } from './report-data.ts'
import type { Period } from './schedule.ts'

export interface GatherDeps {
  readonly db: Database
  readonly telemetry: Pick<Telemetry, 'listNamedTags' | 'history' | 'statistics'>
}

/** The facts of a report: those that are the same for each of its readers, but for the language of texts. */
export interface Gathered {
  readonly period: Period
  readonly machineIds: readonly number[]
  readonly missingTags: readonly MissingTag[]
  readonly tooLarge: readonly number[]
  /** The variables in the languages of the readers. */
  readonly tags: Readonly<Record<Lang, readonly FoundTag[]>>
  readonly availability: readonly Availability[] | undefined
  readonly figures: ReadonlyMap<number, Figures> | undefined
  readonly trends: ReadonlyMap<number, Line> | undefined
  readonly alarms: Awaited<ReturnType<typeof readPeriodAlarms>> | undefined
}

export interface MissingTag {
  readonly machineId: number
  readonly name: string
}

export type Figures = Omit<TagFigures, keyof ReportTag>
export type Line = Pick<Trend, 'kind' | 'points' | 'gaps'>

/** Points of a chart: as many as print shows. */
const pointsMax = 300
/** A strip of states shows at most as many changes as it has dots. */
const changesMax = 1_500

/** Reads the data of a report about machines in a period; the caller has checked the rights. */
export async function gather(
  deps: GatherDeps,
  content: contract.ReportContent,
  wish: { readonly machineIds: readonly number[]; readonly period: Period; readonly now: number },
  signal?: AbortSignal,
): Promise<Gathered> {
  const { machineIds, period, now } = wish
  const has = (part: contract.ReportPart) => content.parts.includes(part)
  const wanted = content.tags.filter(({ machineId }) => machineIds.includes(machineId))
  const [cn, en] = await Promise.all([
    deps.telemetry.listNamedTags(wanted, 'cn'),
    deps.telemetry.listNamedTags(wanted, 'en'),
  ])
  const known = new Set(cn.map(keyOf))
  const missingTags = wanted
    .filter(({ machineId, group, tag }) => !known.has(keyOf({ machineId, wireGroup: group, tag })))
    .map(({ machineId, tag }) => ({ machineId, name: tag }))
  const tooLarge = new Set<number>()
  const tagIds = cn.map(({ tagId }) => tagId)
  const reading = { ...deps, period, signal, tooLarge }
  const figures = has('statistics') ? await readFigures(reading, tagIds) : undefined
  const trends = has('trends') ? await readTrends(reading, cn) : undefined
  return {
    period,
    machineIds,
    missingTags,
    tooLarge: [...tooLarge],
    tags: { cn, en },
    availability: has('availability')
      ? await readAvailability(deps.db, machineIds, { ...period, now })
      : undefined,
    figures,
    trends,
    alarms: has('alarms')
      ? await readPeriodAlarms(deps.db, machineIds, period, {
          longest: reportLimits.longestAlarms,
          latest: reportLimits.alarmsPerReport,
        })
      : undefined,
  }
}

const keyOf = ({ machineId, wireGroup, tag }: Pick<FoundTag, 'machineId' | 'wireGroup' | 'tag'>) =>
  JSON.stringify([machineId, wireGroup, tag])

async function readAvailability(
  db: Database,
  machineIds: readonly number[],
  range: Period & { readonly now: number },
): Promise<Availability[]> {
  const connected = await listConnectedSpans(db, machineIds, range)
  return machineIds.map((machineId) => {
    const known = connected.get(machineId)
    const gaps = gapsOf(known, range)
    const end = Math.min(range.to, range.now)
    const knownMs = known ? Math.max(end - Math.max(range.from, known.knownFrom), 0) : 0
    const lengths = gaps.map(([from, to]) => to - from)
    return {
      machineId,
      knownMs,
      onlineMs: Math.max(knownMs - lengths.reduce((sum, ms) => sum + ms, 0), 0),
      outages: lengths.length,
      longestMs: Math.max(0, ...lengths),
    }
  })
}

interface Reading extends GatherDeps {
  readonly period: Period
  readonly signal: AbortSignal | undefined
  /** Variables whose samples are too many are added. */
  readonly tooLarge: Set<number>
}

/** Reads as many variables as one call allows; if they are too many together, each by itself. */
async function readEach<T>(
  { tooLarge, signal }: Reading,
  tagIds: readonly number[],
  read: (tagIds: readonly number[]) => Promise<readonly T[]>,
): Promise<Map<number, T>> {
  const found = new Map<number, T>()
  const note = (ids: readonly number[], answers: readonly T[]) => {
    for (const [place, id] of ids.entries()) if (answers[place]) found.set(id, answers[place])
  }
  const isTooLarge = (error: unknown) => error instanceof Failure && error.code === 'QUERY_TOO_LARGE'
  for (let start = 0; start < tagIds.length; start += limits.tagsPerHistory) {
    signal?.throwIfAborted()
    const part = tagIds.slice(start, start + limits.tagsPerHistory)
    try {
      note(part, await read(part))
    } catch (error) {
      if (!isTooLarge(error)) throw error
      for (const id of part)
        try {
          note([id], await read([id]))
        } catch (one) {
          if (!isTooLarge(one)) throw one
          tooLarge.add(id)
        }
    }
  }
  return found
}

async function readFigures(reading: Reading, tagIds: readonly number[]): Promise<Map<number, Figures>> {
  const { telemetry, period, signal } = reading
  const found = await readEach(reading, tagIds, (ids) =>
    telemetry.statistics({ tagIds: ids, ...period, signal }),
  )
  return new Map(
    Array.from(found, ([id, one]): [number, Figures] => {
      return [
        id,
        {
          isOfAverages: one.basis === 'averages',
          samples: one.samples,
          min: one.min && { value: one.min.value, at: one.min.at },
          max: one.max && { value: one.max.value, at: one.max.at },
          mean: one.mean,
          timeMean: one.timeMean,
          last: one.last?.value ?? null,
          delta: one.delta?.value ?? null,
          resets: one.delta?.resets ?? 0,
          gapMs: one.gapMs,
          states: one.states,
        },
      ]
    }),
  )
}

async function readTrends(reading: Reading, tags: readonly FoundTag[]): Promise<Map<number, Line>> {
  const { telemetry, period, signal } = reading
  const found = await readEach(
    reading,
    tags.map(({ tagId }) => tagId),
    async (tagIds) => {
      const { series, machines } = await telemetry.history({
        ...{ tagIds, ...period, signal },
        points: pointsMax,
        agg: 'auto',
      })
      const gaps = new Map(machines.map((one) => [one.machineId, one]))
      return series.map((one): Line => {
        const tag = tags.find(({ tagId }) => tagId === one.tagId)
        const away = one.machineId === null ? undefined : gaps.get(one.machineId)
        const isState = tag ? tag.type === 'bool' || tag.type === 'string' || tag.enum !== undefined : false
        const points = one.points.map(([at, value, low, high, quality]): Trend['points'][number] =>
          quality === 'bad' || quality === 'stale' ? [at, null, null, null] : [at, value, low, high],
        )
        // A state that holds since before the period.
        const [, before, , , beforeQuality] = one.before ?? []
        const isHeld = isState && before !== undefined && before !== null && !beforeQuality
        const first: Trend['points'] = isHeld ? [[period.from, before, null, null]] : []
        return {
          kind: isState ? 'states' : 'band',
          points: isState ? thin([...first, ...points]) : points.map(asNumber),
          gaps: [
            ...gapBeforeFirst(one, period),
            ...(away?.gaps ?? []),
            ...(away?.lost ?? []).map(([from, to]): [number, number] => [from, to]),
          ],
        }
      })
    },
  )
  return found
}

/** Shorter ones are the width of a bucket. */
const gapShareMin = 0.02

/** The time before a variable's first value, of one that had none before the period. */
function gapBeforeFirst(
  {
    points,
    before,
  }: { readonly points: readonly (readonly [at: number, ...rest: unknown[]])[]; readonly before?: unknown },
  { from, to }: Period,
): [number, number][] {
  const first = points[0]?.[0] ?? to
  return before || first - from < (to - from) * gapShareMin ? [] : [[from, first]]
}

/** Long integers come as text. */
const asNumber = ([at, value, low, high]: Trend['points'][number]): Trend['points'][number] => {
  const number = typeof value === 'string' ? Number(value) : value
  return [at, typeof number === 'number' && Number.isFinite(number) ? number : null, low, high]
}

/** Changes of states that print can show: of several in one dot the first. */
function thin(points: Trend['points']): Trend['points'] {
  const changes = points.filter(([, value], place) => place === 0 || points[place - 1]?.[1] !== value)
  if (changes.length <= changesMax) return changes
  const step = Math.ceil(changes.length / changesMax)
  return changes.filter((_, place) => place % step === 0)
}

/** An alarm for a reader; `seesNames`: of others who acted on the alarms of its machine. */
export const presentAlarm = (
  { confirmedById, ...alarm }: NonNullable<Gathered['alarms']>['latest'][number],
  reader: NameReader,
  seesNames: boolean,
): ReportAlarm => ({
  ...alarm,
  text: chooseText(alarm.text, reader.lang),
  confirmedBy: shownName(reader, seesNames, { userId: confirmedById, name: alarm.confirmedBy }),
})
