/** Sites of people and enterprises, and the plans on which their machines stand. */
export { createSitesModule } from './sites-module.ts'
