/** SIM cards of machines; the one module that writes their tables. */
export { createSimsModule } from './sims-module.ts'
