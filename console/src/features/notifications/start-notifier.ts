import type { QueryClient } from '@tanstack/react-query'
import type { PushClient } from '../../shared/api/push.ts'
import type { AlarmNotifier } from './alarm-notifier.ts'

/** Held by the tab that speaks: of several tabs only one does. */
const lockName = 'busbar.alarm-telling'

/** Announces pushed alarms as the person has set, in one tab of the browser. Returns the function that ends it. */
export function startAlarmNotifier(client: QueryClient, push: Pick<PushClient, 'on'>): () => void {
  let notifier: Promise<AlarmNotifier> | undefined
  let isFirst = !navigator.locks
  const ending = new AbortController()
  void navigator.locks
    ?.request(lockName, { signal: ending.signal }, () => {
      isFirst = true
      return new Promise<void>((release) =>
        ending.signal.addEventListener('abort', () => release(), { once: true }),
      )
    })
    // Ended while it was waiting.
    .catch(() => undefined)
  const leave = push.on('alarm', (event) => {
    if (!isFirst) return
    notifier ??= import('./page-notifier.ts').then(({ createPageNotifier }) =>
      createPageNotifier(client, (alarmId) => location.assign(`/alarmCenter?alarm=${alarmId}`)),
    )
    // If its file could not be loaded, the next alarm tries again.
    notifier.then(
      (ready) => !ending.signal.aborted && void ready.notify(event),
      () => {
        notifier = undefined
      },
    )
  })
  return () => {
    ending.abort()
    leave()
    void notifier?.then((ready) => ready.stop())
  }
}
