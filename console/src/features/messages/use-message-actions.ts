import { messages } from '@busbar/contract'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { messageKey, messageListKey, unreadQuery } from '../../shared/session/account-queries.ts'
import type { MessageDetail, MessagePage } from './message-queries.ts'

/** Some messages, or a whole tab. */
export type MessageChoice = { readonly ids: readonly number[] } | { readonly scene: messages.MessageTab }

/** Marks as read: shown immediately, and corrected by the platform's answer. */
export function useRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (choice: MessageChoice) => call(messages.readMessages, toWire(choice)),
    onMutate: (choice) => showRead(client, choice),
    onSettled: () => refreshMessages(client),
  })
}

/** Deletes for good. */
export function clearMessages(choice: MessageChoice) {
  return call(messages.clearMessages, toWire(choice))
}

/** Reloads every list and count; while connected, the push reports the same. */
export async function refreshMessages(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: messageListKey }),
    client.invalidateQueries({ queryKey: unreadQuery.queryKey }),
  ])
}

function toWire(choice: MessageChoice) {
  return 'ids' in choice ? { ids: [...choice.ids] } : choice
}

function showRead(client: QueryClient, choice: MessageChoice): void {
  const isChosen = (id: number) => !('ids' in choice) || choice.ids.includes(id)
  const isOfTab = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    'ids' in choice || queryKey[3] === choice.scene
  client.setQueriesData<MessagePage>(
    { queryKey: messageListKey, predicate: isOfTab },
    (page) =>
      page && { ...page, list: page.list.map((row) => (isChosen(row.id) ? { ...row, read: true } : row)) },
  )
  if (!('ids' in choice)) return
  client.setQueriesData<MessageDetail>({ queryKey: messageKey }, (message) =>
    message && isChosen(message.id) ? { ...message, read: true } : message,
  )
}
