/** Deleting accounts and enterprises: the conditions, the cancelling, and the erasure of personal data afterwards. */
export { createLeavingModule } from './leaving-module.ts'
