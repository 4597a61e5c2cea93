/** After everything visible. */
const idleAfterMs = 4_000

/** Loads parts that are likely to be opened once the page is idle; returns the function that cancels it. */
export function preloadWhenIdle(parts: readonly { preload(): Promise<void> }[]): () => void {
  const timer = setTimeout(() => {
    for (const part of parts) void part.preload()
  }, idleAfterMs)
  return () => clearTimeout(timer)
}
