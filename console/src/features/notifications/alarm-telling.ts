import type { QueryClient } from '@tanstack/react-query'
import type { PushClient } from '../../shared/api/push.ts'
import type { AlarmTeller } from './alarm-teller.ts'

/** Held by the tab that speaks: of several tabs only one does. */
const lockName = 'busbar.alarm-telling'

/** Tells of pushed alarms as the person wished, in one tab of the browser. Gives the function that ends it. */
export function startAlarmTelling(client: QueryClient, push: Pick<PushClient, 'on'>): () => void {
  let teller: Promise<AlarmTeller> | undefined
  let isFirst = !navigator.locks
  const ending = new AbortController()
  void navigator.locks
    ?.request(lockName, { signal: ending.signal }, () => {
      isFirst = true
      return new Promise<void>((release) =>
        ending.signal.addEventListener('abort', () => release(), { once: true }),
      )
    })
    // Ended before its turn came.
    .catch(() => undefined)
  const leave = push.on('alarm', (event) => {
    if (!isFirst) return
    teller ??= import('./tell-alarms.ts').then(({ createPageTeller }) =>
      createPageTeller(client, (alarmId) => location.assign(`/alarmCenter?alarm=${alarmId}`)),
    )
    // If its file could not be loaded, the next alarm tries again.
    teller.then(
      (ready) => !ending.signal.aborted && void ready.tell(event),
      () => {
        teller = undefined
      },
    )
  })
  return () => {
    ending.abort()
    leave()
    void teller?.then((ready) => ready.stop())
  }
}
