import type { ApiError } from '@busbar/contract'
import { explainStep } from '../../../entities/account/code-calls.ts'
import type { Text } from '../../../shared/i18n/index.ts'

/** The field beside which a refused code is explained. */
export const codeFields = { '07010112': 'code' } as const

/** The text for a refused code, or for a failed call. */
export function explainCode(error: ApiError, { account, joining }: Text): string {
  return error.is('07010112') ? account.twoFactor.codeWrong : explainStep(error, joining)
}
