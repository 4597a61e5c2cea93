/** Requests to register a SCADA computer, and their answers, by e-mail within 24 hours. */

export { createScadaModule } from './scada-module.ts'
