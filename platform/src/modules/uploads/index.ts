/** Pictures people give the platform. */
export { registerUploads } from './serve-uploads.ts'
export { uploadsRoutes } from './uploads-routes.ts'
export { requireUploads } from './uploads-service.ts'
