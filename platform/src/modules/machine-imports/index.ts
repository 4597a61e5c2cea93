/** Imports of machines: jobs that register the lines of a file and keep the secrets until they are saved. */
export { createMachineImportsModule } from './machine-imports-module.ts'
