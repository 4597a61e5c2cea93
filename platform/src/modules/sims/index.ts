/** SIM cards of machines; the one module that writes their tables. */

export { createPlan, listPlanIds } from './plans-store.ts'
export { createSimsModule } from './sims-module.ts'
export { createCards } from './sims-store.ts'
