/** Machines, and each person's list of them. */

export { createMachinesModule } from './machines-module.ts'
export { createCode, createMachinePassword, registerMachine } from './machines-service.ts'
