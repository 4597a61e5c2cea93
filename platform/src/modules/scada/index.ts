/** Requests to register a SCADA computer, and their answers (seed: within 24 hours, by e-mail). */

export { createScadaModule } from './scada-module.ts'
