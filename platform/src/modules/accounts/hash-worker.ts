import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { HashAnswer, HashOrder } from './hash-threads.ts'

/* Computes one password hash after the other, on a thread that yields to threads that serve requests. */

/** If both need the same core, a request gets three quarters of it. */
const niceness = 5

// On Linux 0 is the calling thread; elsewhere it would be the whole platform.
if (process.platform === 'linux') setPriority(0, niceness)

parentPort?.on('message', ({ place, ...parameters }: HashOrder) => {
  const tag = argon2Sync('argon2id', parameters)
  parentPort?.postMessage({ place, tag } satisfies HashAnswer)
})
