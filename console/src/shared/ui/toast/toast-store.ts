import { timing } from '@busbar/contract'
import { createStore } from '../../api/store.ts'

export type ToastKind = 'done' | 'failure' | 'info'

/** A way on from what was done, such as to the thing that was made. */
export interface ToastAct {
  readonly label: string
  readonly run: () => void
}

export interface Toast {
  readonly key: number
  readonly kind: ToastKind
  readonly text: string
  /** Takes back what was done. */
  readonly undo?: (() => void) | undefined
  readonly act?: ToastAct | undefined
}

/** More would cover the page; the oldest makes room. */
const toastsMax = 3
/** Toasts with an undo or a link stay long enough to read them and to decide. */
const decideMs = 8_000

export const toasts = createStore<readonly Toast[]>([])
let lastKey = 0
let isHeld = false
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/**
 * Says something for 3 s, or with a way to take it back or to go on for 8 s. The same text again while it is shown only starts its time
 * anew; a new undo replaces the one before it.
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

/** Takes a toast away. */
export function hideToast(key: number): void {
  clearTimeout(timers.get(key))
  timers.delete(key)
  toasts.set(toasts.get().filter((toast) => toast.key !== key))
}

/** Takes every offer to undo away: what was done on one page cannot be taken back on another. */
export function hideUndo(): void {
  for (const { key, undo } of toasts.get()) if (undo) hideToast(key)
}

/** Keeps every toast while one is at them with mouse or keyboard. */
export function holdToasts(): void {
  isHeld = true
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
}

/** Starts the time of every toast whose time does not run. */
export function releaseToasts(): void {
  isHeld = false
  for (const toast of toasts.get())
    if (!timers.has(toast.key))
      timers.set(toast.key, setTimeout(hideToast, hasWay(toast) ? decideMs : timing.noticeMs, toast.key))
}

const hasWay = ({ undo, act }: Toast) => undo !== undefined || act !== undefined
