/** Sites of people and enterprises, and the plans on which their machines stand. */
export { createSitesModule } from './sites-module.ts'
export { insertPlan, insertSite, listInSpace, type Mark, placeMarks } from './sites-store.ts'
