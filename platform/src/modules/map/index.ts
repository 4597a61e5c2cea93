/** Where the machines of a list are, for maps. */
export { createMapModule } from './map-module.ts'
