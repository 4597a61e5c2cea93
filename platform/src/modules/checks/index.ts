/** Checks of devices: the cause why one cannot be reached, and who has to act. */

export { createChecksModule } from './checks-module.ts'
