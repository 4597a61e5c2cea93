/** Writing to machines: the request, its result, and the log of writes. */

export { createWritesModule } from './writes-module.ts'
