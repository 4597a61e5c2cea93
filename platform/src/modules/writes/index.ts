/** Writing to machines: the request, its result, and the log of writes. */

export { createWritesModule, type Writes, type WritesModule } from './writes-module.ts'
