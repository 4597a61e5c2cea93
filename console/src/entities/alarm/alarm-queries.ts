import { type AnswerOf, alarms, type Lang, type RequestOf } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { AlarmSpace } from './alarm-space.ts'

export type AlarmDetail = AnswerOf<typeof alarms.getAlarm>
export type AlarmCounts = AnswerOf<typeof alarms.countAlarms>
export type AlarmEvent = alarms.AlarmJournalEvent
export type AlarmQuality = alarms.AlarmQuality

/** Everything asked of alarms begins with it. */
export const alarmsKey = ['alarms'] as const

/** The push tells of most changes; this finds the others. */
const refreshMs = 30_000
export const alarmsPerPage = 50
const journalMax = 200

export function alarmCountsQuery(asked: AlarmSpace['asked'], lang: Lang) {
  return queryOptions({
    queryKey: [...alarmsKey, 'counts', asked, lang],
    queryFn: ({ signal }) => call(alarms.countAlarms, asked, { signal, noNotice: true }),
    refetchInterval: refreshMs,
    staleTime: 0,
  })
}

export type AlarmWish = Omit<RequestOf<typeof alarms.listAlarms>, 'page' | 'pageSize'>

export function alarmListQuery(wish: AlarmWish, page: number, lang: Lang, pageSize = alarmsPerPage) {
  return queryOptions({
    queryKey: [...alarmsKey, 'list', wish, page, pageSize, lang],
    queryFn: ({ signal }) => call(alarms.listAlarms, { ...wish, page, pageSize }, { signal, noNotice: true }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    staleTime: 0,
  })
}

export function alarmQuery(id: number, lang: Lang) {
  return queryOptions({
    queryKey: [...alarmsKey, 'one', id, lang],
    queryFn: ({ signal }) => call(alarms.getAlarm, { id }, { signal, noNotice: true }),
    refetchInterval: refreshMs,
    retry: false,
    staleTime: 0,
  })
}

/** The events of an alarm, the latest first. */
export function alarmJournalQuery(
  { alarmId, machineId }: { readonly alarmId: number; readonly machineId: number },
  lang: Lang,
) {
  return queryOptions({
    queryKey: [...alarmsKey, 'journal', alarmId, lang],
    queryFn: ({ signal }) =>
      call(
        alarms.listAlarmJournal,
        { alarmId, machineId, page: 1, pageSize: journalMax },
        { signal, noNotice: true },
      ),
    staleTime: 0,
  })
}

export function alarmQualityQuery(
  asked: AlarmSpace['asked'],
  span: { readonly from: number; readonly to: number },
  lang: Lang,
) {
  return queryOptions({
    queryKey: [...alarmsKey, 'quality', asked, span, lang],
    queryFn: ({ signal }) => call(alarms.getAlarmQuality, { ...asked, ...span }, { signal, noNotice: true }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
