/** The one name a machine has for each reader. Stands alone, so that every module may ask it. */
export { heldNameFor, listNames, listNamesOfReaders, nameFor, ownNameFor } from './name-for.ts'
