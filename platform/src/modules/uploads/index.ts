/** Pictures people give the platform. */
export { createUploadsModule } from './uploads-module.ts'
export { requireUploads } from './uploads-service.ts'
