import { type AnswerOf, accounts, enterprises, messages } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'

export type Person = AnswerOf<typeof accounts.selectInfo>
export type Enterprise = AnswerOf<typeof enterprises.listUserEnterprises>[number]
export type Invitation = enterprises.Invitation
export type Unread = AnswerOf<typeof messages.getTotalUnread>

/** The signed-in person. */
export const personQuery = queryOptions({
  queryKey: ['person'],
  queryFn: ({ signal }) => call(accounts.selectInfo, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Changes are pushed; this is for those that were missed. */
const spacesRefreshMs = 30_000

/** The person's enterprises; without any, the menu shows only its label. */
export const enterprisesQuery = queryOptions({
  queryKey: ['enterprises'],
  queryFn: ({ signal }) => call(enterprises.listUserEnterprises, {}, { signal }),
  refetchInterval: spacesRefreshMs,
})

/** Invitations that the person has not answered. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => call(enterprises.listInvitations, {}, { signal, noNotice: true }),
  refetchInterval: spacesRefreshMs,
})

/** Unread messages, kept up to date by the push. */
export const unreadQuery = queryOptions({
  queryKey: ['messages', 'unread'],
  queryFn: ({ signal }) => call(messages.getTotalUnread, {}, { signal }),
})

/** The keys that queries of message lists and of messages begin with: the push reports that they changed. */
export const messageListKey = ['messages', 'list'] as const
export const messageKey = ['messages', 'detail'] as const
