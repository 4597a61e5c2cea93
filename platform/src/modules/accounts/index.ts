/** People, their sessions and terminals. */

export { parseAccountName } from './account-name.ts'
export { accountsRoutes } from './accounts-routes.ts'
export { findPushSession, findSession, hashToken, openSession } from './accounts-service.ts'
export { createRightChange, findUser, removeExpired } from './accounts-store.ts'
export { isCommonPassword } from './common-passwords.ts'
export { hashPassword, verifyPassword } from './password.ts'
