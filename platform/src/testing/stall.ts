/** Blocks the event loop of this process for so long. */
export function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
