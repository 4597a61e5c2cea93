/** Rights to machines: the one function that decides them, and the calls that change them. */

export { createAccessModule } from './access-module.ts'
export { type AccessPort, createAccess, listKeys, type MachineKey, type PairAccess } from './access-port.ts'
export { type Access, type AccessFacts, decideAccess, maySet, noAccess } from './access-rules.ts'
export { findNextAccessChange } from './access-store.ts'
export { presentRole } from './access-views.ts'
export type { MachineSpace, SpaceMachine } from './alarm-machines.ts'
export {
  askAkeysAgain,
  type EndTerms,
  endApplication,
  factOf,
  passIfAsked,
  recordApplicationEnds,
  recordOpened,
} from './applications/application-ends.ts'
export {
  type ApplicationRow,
  createStep,
  findPersonName,
  listApplicationRows,
  listMachinesAskedFor,
  type NewStep,
  updateApplication,
} from './applications/application-ends-store.ts'
export { type ApplicationMessages, messagesAbout } from './applications/application-messages.ts'
export { type Share, shareOf, weighGift } from './gift-rules.ts'
export { giveToPerson, giveToSpace } from './give-machine.ts'
export {
  createGrant,
  findGrant,
  type GrantRow,
  lockMachine,
  removeGrant,
  updateGrant,
} from './grants-store.ts'
export { changeGrant, findCandidate, requireAkey, requireReadWrite } from './holders-service.ts'
export type { EnterpriseList } from './holds-in.ts'
export { notifyKeysOnce } from './key-notices.ts'
export { checkMachinePassword } from './machine-password.ts'
export { findMachine } from './machine-settings-store.ts'
export { changeOwner, type OwnerChangeScope } from './ownership/ownership.ts'
export { expireTransfers } from './ownership/transfers-service.ts'
export { findReceivingSpace, isSpaceOwner } from './ownership/transfers-store.ts'
export { type NameReader, personName, seesName, seesNames, shownName } from './person-names.ts'
export {
  changeMachine,
  changeRights,
  type MachineFact,
  type RightsChange,
  type RightsDeps,
} from './rights-change.ts'
export { createMaintainerChanges, listCrew, listMaintainers } from './timed-rights-store.ts'
export { presentVisitTime } from './visit-time.ts'
export { blacklist } from './visitors-service.ts'
