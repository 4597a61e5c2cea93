import { createRequire } from 'node:module'

type Library = typeof import('libphonenumber-js/max')

let library: Library | undefined

/** The rules of phone numbers, read when first asked for: 2 MB that a platform at rest does not need. */
export function phoneLibrary(): Library {
  library ??= createRequire(import.meta.url)('libphonenumber-js/max') as Library
  return library
}
