import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8 count buffers as a part of the heap and its limit, for the whole process. Without it V8 searches
 * its heap after every 64 MB of buffers from the network, however little garbage there is: half of the CPU of
 * a large transfer. Node 20 does not know the flag and would report that on stderr.
 */
export function countBuffersInHeap(): void {
  if (Number.parseInt(process.versions.node, 10) < 26) return
  setFlagsFromString('--external-memory-accounted-in-global-limit')
}
