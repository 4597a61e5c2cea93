/** Registering, recovering an account, and changing its phone or e-mail. */

export { createRegistrationModule } from './registration-module.ts'
