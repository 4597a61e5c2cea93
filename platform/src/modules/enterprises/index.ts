/** Enterprise spaces and who belongs to them. */
export { enterprisesRoutes } from './enterprises-routes.ts'
