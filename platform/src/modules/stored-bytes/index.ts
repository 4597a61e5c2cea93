/** The budgets of the bytes that people and enterprises keep. */
export { createStoredBytesModule } from './stored-bytes-module.ts'
