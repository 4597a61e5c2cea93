import { registration } from '@busbar/contract'
import { call } from '../../api/client.ts'
import { type AccountEntry, toAccountFields } from '../login/account-entry.ts'

/** Sets the password of an account whose code this browser has had checked. Throws ApiError. */
export async function resetPassword(entry: AccountEntry, password: string): Promise<void> {
  await call(registration.resetPassword, { ...toAccountFields(entry), password }, { silent: true })
}
