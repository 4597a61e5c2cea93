/** Writing to machines: the wish, what became of it, and the log of all of it. */

export { createWritesModule } from './writes-module.ts'
