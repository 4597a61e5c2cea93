import { type AnswerOf, type Lang, places } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { placeKey } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'

type WholePlace = AnswerOf<typeof places.getPlace>
export type Fix = NonNullable<WholePlace['place']>
export type PastPlace = AnswerOf<typeof places.listPlaceHistory>['list'][number]

/** Fixes are minutes apart. */
const refreshMs = 30_000

export function placeQuery(machineId: number, lang: Lang) {
  return queryOptions({
    queryKey: [...placeKey(machineId), 'now', lang],
    queryFn: ({ signal }) => call(places.getPlace, { machineID: machineId }, { signal }),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
}

/** Where it was in the last of these milliseconds. */
export function pastPlacesQuery(machineId: number, spanMs: number) {
  return queryOptions({
    queryKey: [...placeKey(machineId), 'past', spanMs],
    queryFn: ({ signal }) => {
      const until = Date.now()
      return call(places.listPlaceHistory, { machineID: machineId, from: until - spanMs, until }, { signal })
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
}
