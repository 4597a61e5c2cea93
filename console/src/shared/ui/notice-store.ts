import { timing } from '@busbar/contract'
import { createStore } from '../api/store.ts'

export type NoticeKind = 'done' | 'failure' | 'info'

export interface Notice {
  readonly key: number
  readonly kind: NoticeKind
  readonly text: string
}

/** More would cover the page; the oldest makes room. */
const noticesMax = 3

export const notices = createStore<readonly Notice[]>([])
let lastKey = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/** Shows a notice for 3 s. The same text again while it is shown only starts its time anew. */
export function showNotice(text: string, kind: NoticeKind = 'done'): void {
  const shown = notices.get().find((notice) => notice.text === text)
  const key = shown?.key ?? ++lastKey
  if (!shown) notices.set([...notices.get(), { key, kind, text }].slice(-noticesMax))
  clearTimeout(timers.get(key))
  timers.set(
    key,
    setTimeout(() => hideNotice(key), timing.noticeMs),
  )
}

export function hideNotice(key: number): void {
  clearTimeout(timers.get(key))
  timers.delete(key)
  notices.set(notices.get().filter((notice) => notice.key !== key))
}
