/** People, their sessions and terminals. */

export { type AccountName, accountKey, accountText, parseAccountName } from './account-name.ts'
export { type AccountsModule, createAccountsModule } from './accounts-module.ts'
export { createToken, endSessions, findPushSession, hashToken, openSession } from './accounts-service.ts'
export { findUser, findUserByAccount } from './accounts-store.ts'
export { isCommonPassword } from './common-passwords.ts'
export { listCountryCodes } from './country-codes.ts'
export { beginLeaving } from './leaving-store.ts'
export { mayOperate } from './may-operate.ts'
export { hashPassword, verifyPassword } from './password.ts'
export { requireProof } from './password-proof.ts'
export {
  checkedAccount,
  createPerson,
  endSessionsOfBrand,
  makeOperator,
  removeAccountTraces,
  removePerson,
  setPassword,
  updatePerson,
} from './people-store.ts'
export { findQrState, isQrToken, qrKey } from './qr-login-service.ts'
export { removeSecondFactor } from './second-factors-store.ts'
export type { SignInCodes } from './sign-in-service.ts'
