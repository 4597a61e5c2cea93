/** The people somebody knows: those added by account, and those a machine is shared with. */
export { friendsRoutes } from './friends-routes.ts'
export { findNamedPerson, type NamedPerson } from './named-person.ts'
