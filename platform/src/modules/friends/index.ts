/** The people somebody knows: those added by account, and those a machine is shared with. */

export { createFriendsModule } from './friends-module.ts'
export { findNamedPerson, type NamedPerson } from './named-person.ts'
