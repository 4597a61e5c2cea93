import { createStore, useStore } from './store.ts'

const probeIntervalMs = 3_000
const probeJitterMs = 1_000
const probeTimeoutMs = 5_000

const reachable = createStore(true)
const returnListeners = new Set<() => void>()
let probing: ReturnType<typeof setTimeout> | undefined

/** False while the platform does not answer. */
export function useReachable(): boolean {
  return useStore(reachable)
}

export function isReachable(): boolean {
  return reachable.get()
}

/** Called when a call got no answer: from then on the platform is asked until it answers again. */
export function noteUnreachable(): void {
  if (!reachable.get()) return
  reachable.set(false)
  scheduleProbe()
}

/** Called when any call got an answer. */
export function noteReachable(): void {
  if (reachable.get()) return
  clearTimeout(probing)
  reachable.set(true)
  for (const listener of returnListeners) listener()
}

/** Runs each time the platform is back; gives the function that ends it. */
export function onReturn(listener: () => void): () => void {
  returnListeners.add(listener)
  return () => returnListeners.delete(listener)
}

/** Asks once now, without waiting for the next turn. */
export async function probeNow(): Promise<void> {
  clearTimeout(probing)
  try {
    const answer = await fetch('/healthz', {
      cache: 'no-store',
      signal: AbortSignal.timeout(probeTimeoutMs),
    })
    if (answer.ok) return noteReachable()
  } catch {
    // No answer is what this is about: the next turn asks again.
  }
  if (!reachable.get()) scheduleProbe()
}

function scheduleProbe(): void {
  clearTimeout(probing)
  probing = setTimeout(() => void probeNow(), probeIntervalMs + Math.random() * probeJitterMs)
}
