import { type AnswerOf, type Lang, messages } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { messageKey, messageListKey } from '../../shared/session/account-queries.ts'

export type Message = messages.Message
export type MessageDetail = AnswerOf<typeof messages.getMessage>
export type MessagePage = AnswerOf<typeof messages.listMessages>

/** Rows of a page; further ones are on separate pages, however many thousands there are. */
export const messagesPerPage = 50

/** The query of a tab. */
export interface MessageWish {
  readonly tab: messages.MessageTab
  readonly unread: boolean
  /** Only those that need an answer. */
  readonly asks: boolean
  readonly search: string
  /** Counted from 1. */
  readonly page: number
}

export function messageListQuery({ tab, unread, asks, search, page }: MessageWish, lang: Lang) {
  return queryOptions({
    queryKey: [...messageListKey, lang, tab, { unread, asks, search, page }] as const,
    queryFn: ({ signal }) =>
      call(
        messages.listMessages,
        {
          ...{ scene: tab, page, pageSize: messagesPerPage, search },
          ...(unread ? { read: false } : {}),
          ...(asks ? { mayAnswer: true } : {}),
        },
        { signal },
      ),
    // The previous rows stay until the next ones arrive, except those of another tab.
    placeholderData: (rows, query) => (query?.queryKey[3] === tab ? rows : undefined),
    staleTime: 0,
  })
}

export function messageQuery(id: number, lang: Lang) {
  return queryOptions({
    queryKey: [...messageKey, lang, id],
    queryFn: ({ signal }) => call(messages.getMessage, { id }, { signal, noNotice: true }),
    staleTime: 0,
  })
}
