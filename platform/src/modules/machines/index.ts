/** Machines, and each person's list of them. */

export { type Overview, type OverviewSources, readOverviews, versionOfOverview } from './list-overviews.ts'
export { createMachinesModule } from './machines-module.ts'
export { addRegistered, createCode, createMachinePassword, registerMachine } from './machines-service.ts'
