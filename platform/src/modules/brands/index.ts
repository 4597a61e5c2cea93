/** The product's face by host. */
export { brandsRoutes, mainBrand } from './brands-routes.ts'
