/** Keeps this process busy for so long that nothing else gets a turn. */
export function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
