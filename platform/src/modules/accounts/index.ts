/** People, their sessions and terminals. */

export { parseAccountName } from './account-name.ts'
export { accountsRoutes } from './accounts-routes.ts'
export { createToken, findPushSession, findSession, hashToken, openSession } from './accounts-service.ts'
export { createRightChange, findUser, findUserByAccount, removeExpired } from './accounts-store.ts'
export { isCommonPassword } from './common-passwords.ts'
export { hashPassword, verifyPassword } from './password.ts'
export { requireProof } from './password-proof.ts'
