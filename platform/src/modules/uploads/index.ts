/** Pictures people give the platform. */
export { pictureTypes, readRaster } from './read-picture.ts'
export { createUploadsModule } from './uploads-module.ts'
export { createUpload, requireUploads } from './uploads-service.ts'
