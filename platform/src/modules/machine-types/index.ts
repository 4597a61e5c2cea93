/** Types of machines: which machines are of each, what it is called and looks like. */
export { machineTypesRoutes } from './machine-types-routes.ts'
export { registerMachinePictures } from './pictures.ts'
