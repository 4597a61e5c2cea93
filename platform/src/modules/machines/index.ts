/** Machines, and each person's list of them. */
export { type MachinesDeps, machinesRoutes, type Presence, type Sparks } from './machines-routes.ts'
export { createMachinePassword, createMachineSecret, registerMachine } from './machines-service.ts'
export { listOpenAlarms } from './machines-store.ts'
