/** Where machines are. */
export { createPlacesModule } from './places-module.ts'
