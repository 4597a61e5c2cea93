/** Values of machines as files. */
export { createExportsModule } from './exports-module.ts'
