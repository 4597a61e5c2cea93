/** Leaving for good: who may, how it is taken back, and erasing what is personal afterwards. */
export { createLeavingModule } from './leaving-module.ts'
