import { setFlagsFromString } from 'node:v8'

// The agent shares a small computer with the machine's own panel: 10 MB are worth a few more short collections. Said
// before the other modules fill the heap.
setFlagsFromString('--max-semi-space-size=1')
setFlagsFromString('--optimize-for-size')
