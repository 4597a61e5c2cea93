/** Types of machines: the machines of each, its name and its picture. */
export { machineTypesRoutes } from './machine-types-routes.ts'
export { registerMachinePictures } from './pictures.ts'
