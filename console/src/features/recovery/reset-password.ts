import { registration } from '@busbar/contract'
import { type AccountEntry, toAccountFields } from '../../entities/account/account-entry.ts'
import { call } from '../../shared/api/client.ts'

/** Sets the password of an account whose code was checked in this browser. Throws ApiError. */
export async function resetPassword(entry: AccountEntry, password: string): Promise<void> {
  await call(registration.resetPassword, { ...toAccountFields(entry), password }, { silent: true })
}
