/** Visits: who is inside which machine, until when, and who controls it. */

export type { ControlDoor } from './control-door.ts'
export type { NoVisit, OpenVisit, VisitCaller, VisitDoor, VisitHold, VisitStream } from './visit-door.ts'
export { createVisits, type Visits } from './visits.ts'
export { createVisitsModule, type VisitsModule } from './visits-module.ts'
