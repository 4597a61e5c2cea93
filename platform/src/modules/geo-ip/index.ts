/** Where an address is, as far as that is known. */
export { findPlace, findRegion } from './find-place.ts'
