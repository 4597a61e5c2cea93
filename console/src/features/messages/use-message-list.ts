import type { messages } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import { type Message, messageListQuery, messagesPerPage } from './message-queries.ts'
import { rememberMessageTab } from './message-tab.ts'
import { useMessageSearch } from './use-message-search.ts'

const nothing: readonly Message[] = []

export interface MessageListView {
  readonly tab: messages.MessageTab
  readonly status: 'loading' | 'failed' | 'ready'
  readonly retry: () => void
  readonly retrying: boolean
  /** Of the page that is shown. */
  readonly rows: readonly Message[]
  readonly total: number
  /** Counted from 1. */
  readonly page: number
  readonly pages: number
  readonly isFiltered: boolean
  readonly chosen: ReadonlySet<number>
  readonly choose: (ids: Iterable<number>) => void
  /** The row before or after the open one; if that has left the list, the rows that closed its gap. */
  readonly neighbour: (openId: number | null, step: 1 | -1) => Message | undefined
}

/** The messages of the address's query, and the chosen ones. */
export function useMessageList(): MessageListView {
  const lang = useLang()
  const [search, update] = useMessageSearch()
  const { tab = 'inbox', unread = false, q = '', page = 1 } = search
  const asks = tab === 'inbox' && search.asks === true
  useEffect(() => rememberMessageTab(tab), [tab])
  const answer = useQuery(messageListQuery({ tab, unread, asks, search: q, page }, lang))
  const rows = answer.data?.list ?? nothing
  const total = answer.data?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / messagesPerPage))
  const isBeyond = answer.data !== undefined && !answer.isPlaceholderData && page > pages
  useEffect(() => {
    if (isBeyond) update({ page: pages > 1 ? pages : undefined }, { replace: true })
  }, [isBeyond, pages, update])

  const place = useRef(0)
  return {
    tab,
    status: answer.data ? 'ready' : answer.isError ? 'failed' : 'loading',
    retry: () => void answer.refetch(),
    retrying: answer.isFetching,
    rows,
    total,
    page,
    pages,
    isFiltered: unread || asks || q !== '',
    ...useChosen(rows, `${tab} ${unread} ${asks} ${q} ${page}`),
    neighbour(openId, step) {
      const found = rows.findIndex((row) => row.id === openId)
      if (found >= 0) place.current = found
      else if (openId === null) return step === 1 ? rows[0] : undefined
      return rows[found >= 0 || step === -1 ? place.current + step : place.current]
    },
  }
}

/** The selection belongs to the rows shown: other rows start without one, and removed rows leave it. */
function useChosen(rows: readonly Message[], shown: string) {
  const [state, setState] = useState<{ shown: string; ids: ReadonlySet<number> }>({ shown, ids: new Set() })
  const ids = state.shown === shown ? state.ids : new Set<number>()
  const there = rows.filter((row) => ids.has(row.id)).map((row) => row.id)
  return {
    chosen: new Set(there),
    choose: (next: Iterable<number>) => setState({ shown, ids: new Set(next) }),
  }
}
