import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { machineTypesRoutes } from './machine-types-routes.ts'
import { registerMachinePictures } from './pictures.ts'

/** Types of machines. */
export function createMachineTypesModule({ db }: Kernel): Module {
  return {
    name: 'machineTypes',
    roles: ['api'],
    routes: machineTypesRoutes(db),
    serve: registerMachinePictures,
  }
}
