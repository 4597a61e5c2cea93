/** Who may do what to a machine now: one function, asked by every door; and the calls that change it. */
export { type AccessDoor, createAccess, type PairAccess } from './access-door.ts'
export { accessRoutes } from './access-routes.ts'
export { type Access, type AccessFacts, decideAccess, noAccess } from './access-rules.ts'
export { maskEmail, maskPhone } from './access-views.ts'
export { checkMachinePassword } from './machine-password.ts'
export { changeRights, type RightsDeps } from './rights-change.ts'
export { VisitTimeEnds } from './visit-time-ends.ts'
