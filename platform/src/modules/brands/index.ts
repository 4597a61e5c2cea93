/** The product's face by host. */
export { brandsRoutes } from './brands-routes.ts'
