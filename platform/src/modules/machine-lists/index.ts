/**
 * People's lists of machines: the one module that writes them. It imports the names of machines and no other module.
 */

export type { ListReader } from './list-changes-store.ts'
export { digestOf, hereOf } from './list-digest.ts'
export {
  createListEntry,
  putIntoList,
  removeListEntry,
  updateKeyTag,
  updateListEntry,
} from './list-entries-store.ts'
export { nameKeyOf, numberUntilFree, refuseSameName, requireFreeName } from './list-names.ts'
export type { ListProjects, NamedProject } from './list-projects.ts'
export { createMachineListsModule, type MachineListsModule } from './machine-lists-module.ts'
export type { UnchangedLists } from './unchanged-lists.ts'
