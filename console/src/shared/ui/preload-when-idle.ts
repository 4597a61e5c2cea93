/** After everything that is on the screen. */
const idleAfterMs = 4_000

/** Fetches parts that are likely to be opened once the page is quiet; gives the function that leaves it be. */
export function preloadWhenIdle(parts: readonly { preload(): Promise<void> }[]): () => void {
  const timer = setTimeout(() => {
    for (const part of parts) void part.preload()
  }, idleAfterMs)
  return () => clearTimeout(timer)
}
