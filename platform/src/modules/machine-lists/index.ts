/** People's lists of machines: the one module that writes them. It knows the names of machines and no other module. */
export {
  createListEntry,
  putIntoList,
  removeListEntry,
  updateKeyTag,
  updateListEntry,
} from './list-entries-store.ts'
export { nameKeyOf, numberUntilFree, refuseSameName, requireFreeName } from './list-names.ts'
export { createMachineListsModule } from './machine-lists-module.ts'
