import { createStore, useStore } from './store.ts'

/** `slow`: a call has waited long for its answer. `gone`: it got none. */
export type Reach = 'good' | 'slow' | 'gone'

const probeIntervalMs = 3_000
const probeJitterMs = 1_000
const probeTimeoutMs = 5_000
/** Longer than a person waits without wondering. */
export const slowMs = 4_000

const reach = createStore<Reach>('good')
const returnListeners = new Set<() => void>()
let probing: ReturnType<typeof setTimeout> | undefined
/** Calls that have waited longer than `slowMs`. */
let slowCalls = 0

/** Whether the platform answers. */
export function useReach(): Reach {
  return useStore(reach)
}

export function getReach(): Reach {
  return reach.get()
}

/** Runs whenever that changes. */
export const onReach = reach.subscribe

export function isReachable(): boolean {
  return reach.get() !== 'gone'
}

/** Called when a call got no answer: from then on the platform is checked until it answers again. */
export function noteUnreachable(): void {
  if (!isReachable()) return
  reach.set('gone')
  scheduleProbe()
}

/** Called when any call got an answer. */
export function noteReachable(): void {
  if (isReachable()) return
  clearTimeout(probing)
  reach.set(slowCalls > 0 ? 'slow' : 'good')
  for (const listener of returnListeners) listener()
}

/** Follows a running call; returns the function that reports its answer, or that it was given up. */
export function noteCall(): () => void {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    slowCalls++
    if (isReachable()) reach.set('slow')
  }, slowMs)
  return () => {
    clearTimeout(timer)
    if (!isSlow) return
    slowCalls--
    if (slowCalls === 0 && isReachable()) reach.set('good')
  }
}

/** Runs each time the platform is back; returns the function that ends it. */
export function onReturn(listener: () => void): () => void {
  returnListeners.add(listener)
  return () => returnListeners.delete(listener)
}

/** Checks once now, without waiting for the next turn. */
export async function probeNow(): Promise<void> {
  clearTimeout(probing)
  try {
    // Alive is not enough: without its database it would refuse the next call again.
    const answer = await fetch('/readyz', {
      cache: 'no-store',
      signal: AbortSignal.timeout(probeTimeoutMs),
    })
    if (answer.ok) return noteReachable()
  } catch {
    // No answer is what this is about: the next turn asks again.
  }
  if (isReachable()) noteUnreachable()
  else scheduleProbe()
}

function scheduleProbe(): void {
  clearTimeout(probing)
  probing = setTimeout(() => void probeNow(), probeIntervalMs + Math.random() * probeJitterMs)
}
