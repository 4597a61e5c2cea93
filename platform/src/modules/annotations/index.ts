/** Notes of people on the past of machines. */

export { createAnnotationsModule } from './annotations-module.ts'
