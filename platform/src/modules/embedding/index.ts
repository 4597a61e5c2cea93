/** Machines' pages in the portals of projects. */
export { createEmbeddingModule, createEmbeddingPort } from './embedding-module.ts'
