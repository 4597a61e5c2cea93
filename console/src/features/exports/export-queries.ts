import { exports as contract, type Lang } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

export type ExportRow = contract.ExportRow
export type ExportWish = Parameters<typeof call<typeof contract.createExport>>[1]

/** The key with which all queries of exports begin. */
export const exportsKey = ['exports'] as const

/** Progress is pushed; states that are not pushed, such as an end without a file, are polled. */
const openMs = 3_000

export const isOpen = ({ state }: ExportRow): boolean => state === 'waiting' || state === 'running'

export function exportListQuery() {
  return queryOptions({
    queryKey: [...exportsKey, 'list'],
    queryFn: ({ signal }) => call(contract.listExports, {}, { signal, noNotice: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? openMs : false),
  })
}

/** The first rows of an export and its size. */
export function previewQuery(wish: ExportWish, lang: Lang) {
  return queryOptions({
    queryKey: [...exportsKey, 'preview', wish, lang],
    queryFn: ({ signal }) => call(contract.previewExport, wish, { signal, noNotice: true }),
    enabled: wish.tagIds.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
