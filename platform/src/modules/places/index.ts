/** Where machines are. */
export { createPlacesModule } from './places-module.ts'
export { createSitesModule } from './sites/index.ts'
