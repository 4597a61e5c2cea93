import { type annotations, type Lang, machines, visits } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { historyKey } from '../machine/machine-queries.ts'

/** An alarm on the time axis. */
export interface MarkedAlarm {
  readonly id: number
  readonly level: machines.AlarmLevel
  readonly text: string
  readonly at: number
  /** Null while it is open. */
  readonly clearedAt: number | null
}

/** An alarm, a write or a note on the time axis. */
export type HistoryMark =
  | { readonly kind: 'alarm'; readonly key: string; readonly at: number; readonly alarm: MarkedAlarm }
  | {
      readonly kind: 'write'
      readonly key: string
      readonly at: number
      readonly write: visits.WriteLogEntry
    }
  | NoteMark

/** A note of a person, in the place of its begin. */
type NoteMark = {
  readonly kind: 'note'
  readonly key: string
  readonly at: number
  readonly note: annotations.Annotation
}

/** Both calls list the newest first and know no range: older marks are not drawn. */
const alarmsMax = 500
const writesMax = 200

/** The key of a note's mark in the address. */
export const noteKey = (id: number) => `n${id}`

/** The key of an alarm's mark in the address. */
export const alarmKey = (alarmId: number) => `a${alarmId}`

/** The newest alarms of a machine, reloaded when the number of its open ones changes. */
export function alarmMarksQuery(machineId: number, openAlarms: number, lang: Lang) {
  return queryOptions({
    queryKey: [...historyKey(machineId), 'alarms', openAlarms, lang],
    queryFn: async ({ signal }) => {
      const asked = { machineID: machineId, pageSize: alarmsMax }
      const { list } = await call(machines.listMachineAlarms, asked, { signal, noNotice: true })
      return list.map(({ created_at: at, ...alarm }): MarkedAlarm => ({ ...alarm, at }))
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The newest writes to a machine; the sync of visits reloads them after a write. */
export function writeMarksQuery(machineId: number) {
  return queryOptions({
    queryKey: ['visits', 'writes', machineId, 'marks'],
    queryFn: async ({ signal }) => {
      const asked = { machineId, page: 1, pageSize: writesMax }
      return (await call(visits.listMachineWrites, asked, { signal, noNotice: true })).list
    },
    placeholderData: keepPreviousData,
  })
}

/** The marks within a range, in time order; an alarm that two lists name is one mark. */
export function listMarks(
  alarms: readonly MarkedAlarm[],
  writes: readonly visits.WriteLogEntry[],
  { from, to }: TimeRange,
  notes: readonly annotations.Annotation[] = [],
): HistoryMark[] {
  const byId = new Map(alarms.map((alarm) => [alarm.id, alarm]))
  const marks: HistoryMark[] = [
    ...[...byId.values()].map((alarm) => ({
      ...{ kind: 'alarm' as const, key: alarmKey(alarm.id) },
      ...{ at: alarm.at, alarm },
    })),
    ...writes.map((write) => ({ kind: 'write' as const, key: `w${write.id}`, at: write.at, write })),
    ...notes.map((note) => ({
      ...{ kind: 'note' as const, key: noteKey(note.id), note },
      // One that began before is shown at the edge.
      at: Math.max(note.from, from),
    })),
  ]
  return marks.filter(({ at }) => at >= from && at <= to).sort((a, b) => a.at - b.at)
}

/** Groups marks that are closer together than `leastMs`. */
export function groupMarks(marks: readonly HistoryMark[], leastMs: number): HistoryMark[][] {
  const groups: HistoryMark[][] = []
  for (const mark of marks) {
    const last = groups.at(-1)
    if (last?.[0] && mark.at - last[0].at < leastMs) last.push(mark)
    else groups.push([mark])
  }
  return groups
}

const severityOf = (mark: HistoryMark) =>
  mark.kind === 'alarm' ? machines.alarmLevels.indexOf(mark.alarm.level) : machines.alarmLevels.length

/** The mark that stands for a group: its worst alarm; without one, the first. */
export function worstOf(group: readonly HistoryMark[]): HistoryMark | undefined {
  return group.toSorted((a, b) => severityOf(a) - severityOf(b))[0]
}

/** The mark that a press on a group selects: the first, then the next one with each press. */
export function nextInGroup(
  group: readonly HistoryMark[],
  chosen: string | undefined,
): HistoryMark | undefined {
  const place = group.findIndex(({ key }) => key === chosen)
  return group[(place + 1) % group.length]
}

const alarmLengthMs = 3_600_000

/** The span in which an alarm is shown: half an hour before and after it, and no future. */
export function spanOfAlarm(at: number, now: number): TimeRange {
  const to = Math.min(at + alarmLengthMs / 2, now)
  return { from: to - alarmLengthMs, to }
}
