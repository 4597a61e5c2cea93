/** Where machines are. */
export { movedAfterMs } from './place-rules.ts'
export { createPlacesModule } from './places-module.ts'
export {
  createSitesModule,
  insertPlan,
  insertSite,
  listInSpace,
  type Mark,
  placeMarks,
} from './sites/index.ts'
