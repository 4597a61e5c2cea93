import { alarmLimits, type alarms as contract, type Lang } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { AccessPort, MachineSpace } from '../access/index.ts'
import { findZone, spaceOfCall } from '../spaces/index.ts'
import { listOrdered, readCursor, writeCursor } from './alarm-order.ts'
import * as store from './centre-store.ts'
import { presentAlarm, presentEvent } from './centre-views.ts'
import { type JournalFilters, listJournal } from './journal-store.ts'
import type { TagSource } from './tag-names.ts'

export interface CentreDeps {
  readonly db: Database
  readonly access: Pick<AccessPort, 'list' | 'listAlarmMachines' | 'listColleagues'>
  readonly tags: TagSource
}

/** A person who asks, and when. */
export interface Reader {
  readonly userId: number
  readonly lang: Lang
  readonly now: number
}

const countMax = alarmLimits.alarmTotalMax
const topMachinesMax = 5
const daysShown = 7

/** The machines of a space whose alarms the reader may see now. */
export async function findScope(
  { access }: CentreDeps,
  reader: Reader,
  request: MachineSpace,
): Promise<store.AlarmScope> {
  const machines = await access.listAlarmMachines(reader.userId, request, reader.now)
  return { userId: reader.userId, eid: request.eid, machines }
}

export interface PageRequest {
  readonly page: number
  readonly pageSize: number
}

/** A part of a list that is counted and paged up to `alarmLimits.alarmTotalMax`. */
function sliceOf({ page, pageSize }: PageRequest): store.Slice {
  const offset = (page - 1) * pageSize
  const limit = Math.max(0, Math.min(pageSize, countMax - offset))
  return { offset: limit === 0 ? 0 : offset, limit, countMax: countMax + 1 }
}

const pageOf = <Row>(list: Row[], total: number, { page, pageSize }: PageRequest) => ({
  list,
  total: Math.min(total, countMax),
  isCut: total > countMax,
  page,
  pageSize,
})

/** The order of a list, as in the contract. */
export interface SortRequest {
  readonly sort?: contract.AlarmSort
  readonly direction?: 'asc' | 'desc' | undefined
  readonly after?: string | undefined
}

/** A page of alarms of a space, with where the next one begins. */
export async function listAlarms(
  deps: CentreDeps,
  reader: Reader,
  request: MachineSpace & store.AlarmFilters,
  { sort = 'need', direction, after, ...paging }: PageRequest & SortRequest,
) {
  const { db } = deps
  const scope = await findScope(deps, reader, request)
  const at = new Date(reader.now)
  const isDescending = (direction ?? (sort === 'raised' ? 'desc' : 'asc')) === 'desc'
  if (sort === 'raised' && isDescending && after === undefined) {
    const { rows, total } = await store.listAlarmRows(db, scope, request, sliceOf(paging), at)
    const last = rows.at(-1)
    const isMore = last !== undefined && total > (paging.page - 1) * paging.pageSize + rows.length
    return {
      ...pageOf(await present(deps, reader, rows), total, paging),
      next: isMore ? writeCursor({ segment: 0, alarmId: last.id }) : null,
    }
  }
  const slice =
    after === undefined ? sliceOf(paging) : { offset: 0, limit: paging.pageSize, countMax: countMax + 1 }
  if (scope.machines.length === 0 || slice.limit === 0) return { ...pageOf([], 0, paging), next: null }
  const order = { sort, isDescending, after: after === undefined ? undefined : readCursor(after) }
  const [found, total] = await Promise.all([
    listOrdered(
      { db, scope, filters: request, at },
      order,
      { ...slice, limit: slice.limit + 1 },
      reader.lang,
    ),
    store.countAlarmRows(db, scope, request, slice.countMax, at),
  ])
  const shown = found.slice(0, slice.limit)
  const rows = await store.listNamedRows(
    db,
    scope,
    request,
    shown.map(({ alarmId }) => alarmId),
    at,
  )
  const last = shown.at(-1)
  return {
    ...pageOf(await present(deps, reader, rows), total, paging),
    next: last && found.length > shown.length ? writeCursor(last) : null,
  }
}

/** Alarms as the reader sees them, with the reader's rights to each. */
async function present(
  { access, tags: source }: CentreDeps,
  { userId, lang, now }: Reader,
  rows: readonly store.AlarmListRow[],
): Promise<contract.AlarmRow[]> {
  const machineIds = [...new Set(rows.map(({ machine_id }) => machine_id))]
  const [rights, tags, colleagues] = await Promise.all([
    access.list(userId, machineIds, now),
    source.listTagNames(rows.flatMap(({ tag_id }) => tag_id ?? [])),
    access.listColleagues(
      userId,
      rows.map(({ confirmed_by }) => confirmed_by),
    ),
  ])
  return rows.map((row) =>
    presentAlarm(row, { userId, lang, colleagues, tags, own: rights.get(row.machine_id) }),
  )
}

/** The numbers for the head of the alarm centre. */
export async function countAlarms(deps: CentreDeps, reader: Reader, request: MachineSpace) {
  const { db } = deps
  const at = new Date(reader.now)
  const zone = findZone(db, spaceOfCall(reader.userId, request.eid), reader.lang)
  const [scope, days] = await Promise.all([
    findScope(deps, reader, request),
    zone.then((timeZone) => store.listDays(db, timeZone, at, daysShown)),
  ])
  const [open, unconfirmed, raised] = await Promise.all([
    store.countOpen(db, scope, at),
    store.countUnconfirmed(db, scope, countMax),
    store.countRaised(db, scope, days, topMachinesMax),
  ])
  const names = await store.listMachineNames(
    db,
    scope,
    raised.top.map(({ machineId }) => machineId),
  )
  const sumOf = (isIt: (row: store.OpenCounts) => boolean) =>
    open.filter(isIt).reduce((sum, { count }) => sum + count, 0)
  const asking = (level: store.OpenCounts['level']) =>
    sumOf((row) => row.kept === null && row.level === level)
  return {
    active: sumOf(({ kept }) => kept === null),
    unconfirmed,
    today: raised.byDay.get(daysShown) ?? 0,
    shelved: sumOf(({ kept }) => kept === 'shelved'),
    outOfService: sumOf(({ kept }) => kept === 'outOfService'),
    byLevel: {
      critical: asking('critical'),
      major: asking('major'),
      minor: asking('minor'),
      info: asking('info'),
    },
    byDay: days.slice(0, daysShown).map((day, index) => ({
      from: day.getTime(),
      raised: raised.byDay.get(index + 1) ?? 0,
    })),
    topMachines: raised.top.flatMap(({ machineId, raised: count }) => {
      const named = names.get(machineId)
      return named ? [{ ...named, raised: count }] : []
    }),
  }
}

/** One alarm with the details of its page. */
export async function getAlarm(deps: CentreDeps, reader: Reader, alarmId: number, machineId: number) {
  const scope = await findScope(deps, reader, { machineId })
  const slice = { offset: 0, limit: 1, countMax: 1 }
  const { rows } = await store.listAlarmRows(deps.db, scope, { alarmId }, slice, new Date(reader.now))
  const [row] = rows
  const [alarm] = await present(deps, reader, rows)
  if (!row || !alarm) throw new Failure('404')
  return { row, alarm }
}

/** A page of the journal of a space. */
export async function listEvents(
  deps: CentreDeps,
  reader: Reader,
  request: MachineSpace & JournalFilters,
  paging: PageRequest,
) {
  const scope = await findScope(deps, reader, request)
  const { rows, total } = await listJournal(deps.db, scope, request, sliceOf(paging))
  const { userId, lang, now } = reader
  const machineIds = [...new Set(rows.map(({ machine_id }) => machine_id))]
  const [rights, tags, colleagues] = await Promise.all([
    deps.access.list(userId, machineIds, now),
    deps.tags.listTagNames(rows.flatMap(({ tag_id }) => tag_id ?? [])),
    deps.access.listColleagues(
      userId,
      rows.map(({ user_id }) => user_id),
    ),
  ])
  return pageOf(
    rows.map((row) => presentEvent(row, { userId, lang, colleagues, tags, own: rights.get(row.machine_id) })),
    total,
    paging,
  )
}
