/** A person's friends: people added by account, and people who share a machine. */

export { createFriendsModule } from './friends-module.ts'
export { findNamedPerson, type NamedPerson } from './named-person.ts'
