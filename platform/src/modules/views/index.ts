/** Saved views of the explorer. */

export { createViewsModule } from './views-module.ts'
