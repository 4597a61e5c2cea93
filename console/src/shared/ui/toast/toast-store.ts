import { timing } from '@busbar/contract'
import { createStore } from '../../api/store.ts'

export type ToastKind = 'done' | 'failure' | 'info'

/** A link that continues after the act, such as to the new thing. */
export interface ToastAct {
  readonly label: string
  readonly run: () => void
}

export interface Toast {
  readonly key: number
  readonly kind: ToastKind
  readonly text: string
  /** Undoes the act. */
  readonly undo?: (() => void) | undefined
  readonly act?: ToastAct | undefined
}

/** More would cover the page; the oldest is removed. */
const toastsMax = 3
/** Toasts with an undo or a link stay long enough to read them and to decide. */
const decideMs = 8_000

export const toasts = createStore<readonly Toast[]>([])
let lastKey = 0
/** The first page may come after a notice about how one got there: its time begins when it can be read. */
let isHeld = true
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/**
 * Shows a message for 3 s, or with an undo or a link for 8 s. The same text again while it is shown only
 * restarts its time; a new undo replaces the one before it.
 * @returns the toast, for `hideToast`
 */
export function showToast(text: string, kind: ToastKind = 'done', way?: (() => void) | ToastAct): number {
  const [undo, act] = typeof way === 'function' ? [way, undefined] : [undefined, way]
  const shown = toasts.get()
  const same = way ? undefined : shown.find((toast) => toast.text === text && !hasWay(toast))
  const key = same?.key ?? ++lastKey
  if (!same) {
    const kept = undo ? shown.filter((toast) => !toast.undo) : shown
    toasts.set([...kept, { key, kind, text, undo, act }].slice(-toastsMax))
  }
  clearTimeout(timers.get(key))
  timers.delete(key)
  if (!isHeld) releaseToasts()
  return key
}

/** Removes a toast. */
export function hideToast(key: number): void {
  clearTimeout(timers.get(key))
  timers.delete(key)
  toasts.set(toasts.get().filter((toast) => toast.key !== key))
}

/** Removes every offer to undo: an act of one page cannot be undone on another. */
export function hideUndo(): void {
  for (const { key, undo } of toasts.get()) if (undo) hideToast(key)
}

/** Keeps every toast: while the mouse or the keyboard is on one, and until the list of toasts is first drawn. */
export function holdToasts(): void {
  isHeld = true
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
}

/** Restarts the time of every paused toast. */
export function releaseToasts(): void {
  isHeld = false
  for (const toast of toasts.get())
    if (!timers.has(toast.key))
      timers.set(toast.key, setTimeout(hideToast, hasWay(toast) ? decideMs : timing.noticeMs, toast.key))
}

const hasWay = ({ undo, act }: Toast) => undo !== undefined || act !== undefined
