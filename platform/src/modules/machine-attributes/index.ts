/** The facts a machine tells about itself. It depends on no other module, so that the ingest may write them. */
export { mergeAttributes } from './attributes-store.ts'
