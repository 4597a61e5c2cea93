/** Maps of the deployment’s own: an operator’s sources of tiles, which the platform fetches and keeps. */
export { createTilesModule } from './tiles-module.ts'
