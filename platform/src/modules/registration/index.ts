/** Becoming a person here, getting back in, and changing what one signs in with. */
export { registrationRoutes } from './registration-routes.ts'
