/** A process's memory in bytes, after a collection of garbage where `--expose-gc` allows it. */
export interface Memory {
  readonly rss: number
  readonly heapUsed: number
  /** Buffers and other memory that C++ keeps for JavaScript. */
  readonly external: number
}

export function measureMemory(): Memory {
  // The objects that a first collection frees may refer to others that a second one can free.
  for (let round = 0; round < 3; round++) globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heapUsed, external }
}
