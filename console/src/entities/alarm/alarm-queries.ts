import { type AnswerOf, alarms, type Lang, notifications, type RequestOf } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { waitForTold } from './alarm-told.ts'

export type AlarmDetail = AnswerOf<typeof alarms.getAlarm>
export type AlarmCounts = AnswerOf<typeof alarms.countAlarms>
export type AlarmCountsAsked = RequestOf<typeof alarms.countAlarms>
export type AlarmEvent = alarms.AlarmJournalEvent
export type AlarmTold = AnswerOf<typeof notifications.listTold>
export type AlarmQuality = alarms.AlarmQuality

/** The key with which all queries of alarms begin. */
export const alarmsKey = ['alarms'] as const

/** The push reports most changes; polling finds the others. */
const refreshMs = 30_000
export const alarmsPerPage = 50
const journalMax = 200
export const alarmToldMax = 500
/** Interval while messages are on their way, because their results are not pushed. */
const soonMs = 3_000

export function alarmCountsQuery(asked: AlarmCountsAsked, lang: Lang) {
  return queryOptions({
    queryKey: [...alarmsKey, 'counts', asked, lang],
    queryFn: ({ signal }) => call(alarms.countAlarms, asked, { signal, noNotice: true }),
    refetchInterval: refreshMs,
    staleTime: 0,
  })
}

export type AlarmWish = Omit<RequestOf<typeof alarms.listAlarms>, 'page' | 'pageSize' | 'after' | 'repeats'>

/** A page of alarms; repeats of one are one row. */
export function alarmListQuery(wish: AlarmWish, page: number, lang: Lang, pageSize = alarmsPerPage) {
  const keyOf = (of: number) => [...alarmsKey, 'list', wish, of, pageSize, lang] as const
  return queryOptions({
    queryKey: keyOf(page),
    queryFn: ({ signal, client }) => {
      // Continues after the previous page if that is known, so that no page is slower than the first.
      const before = client.getQueryData<AnswerOf<typeof alarms.listAlarms>>(keyOf(page - 1))
      const after = before?.next ? { after: before.next } : {}
      return call(
        alarms.listAlarms,
        { repeats: 'newest', ...wish, ...after, page, pageSize },
        { signal, noNotice: true },
      )
    },
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

/** The people notified of an alarm, the earliest first. */
export function alarmToldQuery(alarmId: number) {
  return queryOptions({
    queryKey: [...alarmsKey, 'told', alarmId],
    queryFn: ({ signal }) =>
      call(notifications.listTold, { alarmId, page: 1, pageSize: alarmToldMax }, { signal, noNotice: true }),
    refetchInterval: ({ state: { data } }) => (data ? waitForTold(data, Date.now()) : refreshMs),
    staleTime: 0,
  })
}

/** The number of people notified of each alarm in a list. */
export function toldCountsQuery(alarmIds: readonly number[]) {
  return queryOptions({
    queryKey: [...alarmsKey, 'toldCounts', alarmIds],
    queryFn: ({ signal }) =>
      call(notifications.countTold, { alarmIds: [...alarmIds] }, { signal, noNotice: true }),
    enabled: alarmIds.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.some(({ waiting }) => waiting > 0) ? soonMs : refreshMs),
    staleTime: 0,
  })
}

export function alarmQualityQuery(
  asked: PageSpace['asked'],
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
