/**
 * The register of machines: the one module that writes the table `machines`. It depends on no other module, so that every
 * module may call it, the ingest too.
 */
export { mergeAttributes, type ToldAttributes, tellsPlace } from './attributes-store.ts'
export { updateOwner } from './owner-store.ts'
export {
  createMachines,
  listKnownCodes,
  type MachineSettings,
  type NewMachine,
  removeMachines,
  updateMachine,
} from './register-store.ts'
export { updateClocks, updateLastSeen } from './seen-store.ts'
export { type CodeRange, drawCodes, isInRange } from './self-registered-codes.ts'
export { deleteToldPlace, type TakeOptions, type ToldPlace, takeToldPlace } from './told-places-store.ts'
