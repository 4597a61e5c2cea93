import type { QueryClient } from '@tanstack/react-query'
import { refreshApplications } from '../../entities/application/application-queries.ts'
import type { PushClient } from '../../shared/api/push.ts'
import type { UnreadEvent } from '../../shared/api/push-messages.ts'
import { messageKey, messageListKey, type Unread, unreadQuery } from '../../shared/session/account-queries.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'

/** Events are gathered this long: a flood of alarms is one question for the list, not one for each. */
const gatherMs = 250

/** Keeps messages, their counts and applications up to date. Returns the function that ends it. */
export function startMessageSync(client: QueryClient, push: Pick<PushClient, 'on'>): () => void {
  const machineIds = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void client.invalidateQueries({ queryKey: messageListKey })
      // Events do not contain the number of messages that need an answer.
      void client.invalidateQueries({ queryKey: unreadQuery.queryKey })
      // The open one may have been answered elsewhere.
      void client.invalidateQueries({ queryKey: messageKey })
      for (const machineId of machineIds) void refreshApplications(client, machineId)
      machineIds.clear()
    }, gatherMs)
  }
  const ends = [
    push.on('unread', (event) => {
      void takeCounts(client, event)
      soon()
    }),
    push.on('projectAlarm', ({ content }) => showToast(content, 'info')),
    push.on('audit', ({ machineId }) => {
      machineIds.add(machineId)
      soon()
    }),
  ]
  return () => {
    clearTimeout(timer)
    for (const end of ends) end()
  }
}

/** Pushed counts are absolute: an answer still on its way is older, and would bring the count before back. */
async function takeCounts(client: QueryClient, { total, byTab }: UnreadEvent): Promise<void> {
  const { queryKey } = unreadQuery
  const cancelled = client.cancelQueries({ queryKey })
  client.setQueryData<Unread>(queryKey, (unread) =>
    byTab
      ? { totalUnreadMsg: total, byScene: byTab, toAnswer: unread?.toAnswer ?? 0 }
      : unread && { ...unread, totalUnreadMsg: total },
  )
  await cancelled
}
