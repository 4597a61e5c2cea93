import { ApiError, sims } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

export const simsKey = ['sims'] as const

/** Carriers count once or twice a day. */
const freshMs = 300_000

/** The card that is asked for: by its own number, or the first of a machine. */
export type AskedCard = { readonly iccid: string } | { readonly machineCode: string }

/** A card with its usage; null: the machine has none, or the caller may not see it. */
export const simCardQuery = (asked: AskedCard) =>
  queryOptions({
    queryKey: [...simsKey, 'card', asked],
    queryFn: async ({ signal }): Promise<sims.SimCard | null> => {
      try {
        return await call(sims.getCard, asked, { signal, noNotice: true })
      } catch (error) {
        if (error instanceof ApiError && error.is('404')) return null
        throw error
      }
    },
    staleTime: freshMs,
  })

/**
 * Whether a machine of a space has a card. Its list is asked, where none is an answer: most machines have none, and a
 * browser reports each 404 as a failure.
 */
export const hasCardQuery = (machineCode: string, eid: number | undefined) =>
  queryOptions({
    queryKey: [...simsKey, 'has', machineCode, eid],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { list } = await call(
        sims.listCards,
        { eid, search: machineCode, pageSize: 1 },
        { signal, noNotice: true },
      )
      return list.length > 0
    },
    staleTime: freshMs,
  })
