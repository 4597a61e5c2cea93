/** Visits: the people inside each machine, until when, and who controls it; and the addresses of machines' pages. */

export { addFrom, consoleIdOf, findConsoleId, isConsoleId, removeFrom } from './console-id.ts'
export type { ControlPort } from './control-port.ts'
export { type EmbeddedVisits, embeddingCodeMs } from './embedded-visits.ts'
export type { Embedding, EmbeddingIds, EmbeddingPort } from './embedding.ts'
export { returnPath } from './return-path.ts'
export { mayLookAt } from './targets.ts'
export { createVisitAddress, type VisitAddress, type VisitName } from './visit-address.ts'
export type {
  NoVisit,
  OpenVisit,
  PortVisits,
  VisitCaller,
  VisitHold,
  VisitPort,
  VisitStream,
} from './visit-port.ts'
export { createVisits, type Visits } from './visits.ts'
export { createVisitsModule, type VisitsModule } from './visits-module.ts'
export { removeSomeVisits } from './visits-store.ts'
