/** Becoming a person here, getting back in, and changing what one signs in with. */

export { createRegistrationModule } from './registration-module.ts'
