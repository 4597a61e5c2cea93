/** Types of machines: the machines of each, its name and its picture. */

export { createMachineTypesModule } from './machine-types-module.ts'
