import { createRequire } from 'node:module'

type Library = typeof import('libphonenumber-js/max')

let library: Library | undefined

/** The rules of phone numbers, loaded on first use: 2 MB that an idle platform does not need. */
export function phoneLibrary(): Library {
  library ??= createRequire(import.meta.url)('libphonenumber-js/max') as Library
  return library
}
