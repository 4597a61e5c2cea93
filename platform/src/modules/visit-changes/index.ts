/** Changes of visits: the values that they left different, and the places that tools wrote through ports. */
export { createVisitChangesModule, type VisitChangesModule } from './visit-changes-module.ts'
