/** Where an address is, as far as that is known. */
export { findPlace } from './find-place.ts'
