const never = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the event loop of this process for so long, and leaves the processor to others. */
export function stall(ms: number): void {
  Atomics.wait(never, 0, 0, ms)
}
