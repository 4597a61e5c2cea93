/** Machines, and each person's list of them. */
export { machinesRoutes } from './machines-routes.ts'
export { createCode, createMachinePassword, registerMachine } from './machines-service.ts'
