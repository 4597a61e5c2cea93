import { QueryClient } from '@tanstack/react-query'
import { beforeAll, expect, it, vi } from 'vitest'
import { Emitter } from '../../shared/api/emitter.ts'
import type { PushEvents } from '../../shared/api/push.ts'

// The console's client reads the browser's language and storage when it is loaded.
let sync: typeof import('./message-sync.ts')
let queries: typeof import('../../shared/session/account-queries.ts')
beforeAll(async () => {
  ;[sync, queries] = await Promise.all([
    import('./message-sync.ts'),
    import('../../shared/session/account-queries.ts'),
  ])
})

const counts = (inbox: number) => ({ inbox, sent: 0, alarm: 0, project: 0, device: 0 })

it('keeps the pushed count where an older answer arrives after it', async () => {
  const client = new QueryClient()
  const push = new Emitter<PushEvents>()
  const stop = sync.startMessageSync(client, push)
  const { queryKey } = queries.unreadQuery
  let answer: (value: unknown) => void = () => {}
  const asked = client
    .fetchQuery({ queryKey, queryFn: () => new Promise((resolve) => (answer = resolve)) })
    .catch(() => undefined)
  push.emit('unread', { total: 3, byTab: counts(3) })
  answer({ totalUnreadMsg: 2, byScene: counts(2) })
  await asked
  expect(client.getQueryData(queryKey)).toMatchObject({ totalUnreadMsg: 3, byScene: counts(3) })
  stop()
})

it('asks once for the list, the counts and the open message, however many events a flood of alarms brings', async () => {
  const client = new QueryClient()
  const push = new Emitter<PushEvents>()
  const stop = sync.startMessageSync(client, push)
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  for (let n = 1; n <= 500; n++) push.emit('unread', { total: n, byTab: counts(n) })
  await vi.waitFor(() => expect(invalidate).toHaveBeenCalled())
  const asked = invalidate.mock.calls.map(([filter]) => filter?.queryKey)
  expect(asked).toEqual([queries.messageListKey, queries.unreadQuery.queryKey, queries.messageKey])
  expect(client.getQueryData(queries.unreadQuery.queryKey)).toMatchObject({ totalUnreadMsg: 500 })
  stop()
})

it('shows a project alarm in its own words', async () => {
  const { toasts } = await import('../../shared/ui/toast/toast-store.ts')
  const push = new Emitter<PushEvents>()
  const stop = sync.startMessageSync(new QueryClient(), push)
  push.emit('projectAlarm', { content: 'The quota is used up' })
  expect(toasts.get()).toMatchObject([{ text: 'The quota is used up' }])
  stop()
})
