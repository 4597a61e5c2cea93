import { ApiError } from '@busbar/contract'
import type { Text } from '../../shared/i18n/index.ts'
import { type AccountInput, findAccountProblem, formatAccount, toAccount } from '../account/account-form.ts'
import type { Friend } from './friend-queries.ts'

/** The person named in a form: a picked friend, or a typed account. */
export interface PersonInput extends AccountInput {
  readonly friend?: Pick<Friend, 'userid' | 'name' | 'accountMasked' | 'remark'> | undefined
}

export const emptyPerson: PersonInput = { text: '', countryCode: '86' }

/** The person's fields for a call. */
export function toPerson(input: PersonInput): { userId: number } | { account: string; countryCode: string } {
  return input.friend ? { userId: input.friend.userid } : toAccount(input)
}

/** The name to show for the person after they were entered. */
export function formatPerson(input: PersonInput): string {
  return input.friend?.name ?? formatAccount(input)
}

/** Whether a text is part of a name: neither an e-mail nor a phone number with its country code. */
export function isNameLike(text: string): boolean {
  return !text.includes('@') && /[^\d\s()+-]/.test(text)
}

/** The problem that the form finds without asking the platform; undefined for a valid input. */
export function findPersonProblem(input: PersonInput, text: Text): string | undefined {
  if (input.friend) return undefined
  if (isNameLike(input.text)) return text.account.picker.problems.nobodyPicked
  return findAccountProblem(input, text.access.add.problems)
}

/** The refusals about the person that a form names, for its field. */
export const personErrors = <Field extends string>(field: Field): Readonly<Record<string, Field>> => ({
  '01010304': field,
  '01010305': field,
  '01010306': field,
  '01010307': field,
  PERSON_BLACKLISTED: field,
  account: field,
  countryCode: field,
})

/** A form's own words for a refusal of the person it names. */
export function explainPerson(error: ApiError, input: PersonInput, text: Text): string | undefined {
  const { problems } = text.access.add
  if (error.is('PERSON_BLACKLISTED')) return problems.blacklisted
  if (error.field === 'account' || error.field === 'countryCode') return problems.accountForm
  return findLostFriend(error, input, text)
}

/** The text for a picked friend who is no longer a friend; undefined for other errors. */
export function findLostFriend(error: unknown, input: PersonInput, text: Text): string | undefined {
  const isLost = input.friend && error instanceof ApiError && error.is('01010304')
  return isLost ? text.account.picker.problems.lost(input.friend.name) : undefined
}
