import { z } from 'zod'
import { byRule, eidOrPersonal, id, longestCharacter, shortText, stop, withoutSpecial } from './fields.ts'
import { limits } from './limits.ts'

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const emailPattern = new RegExp(`^(?=.{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=[a-z])${label}$`)

/** An e-mail as an account: small letters, at most 254 characters (RFC 5321), of ASCII, so that none looks like another. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(limits.accountMax)
  .regex(emailPattern, { message: 'email' })

/** A phone as it was typed; the platform reads it together with `countryCode` and refuses invalid ones. */
export const phone = z
  .string()
  .trim()
  .min(6)
  .max(limits.phoneMax)
  .regex(/^\+?[\d\s()-]+$/, { message: 'phone' })

export const countryCode = z
  .string()
  .regex(/^\d{1,4}$/, { message: 'countryCode' })
  .default('86')

/** Four characters, as they were typed. */
export const code = z.string().trim().length(limits.codeLength)

/** A new password; the most common ones are also refused (rules/accounts.md: passwords). */
export const chosenPassword = byRule(
  byRule(
    z.string().max(limits.passwordMax * longestCharacter, stop),
    ['charactersMin', limits.passwordMin],
    `min:${limits.passwordMin}`,
  ),
  ['charactersMax', limits.passwordMax],
  `max:${limits.passwordMax}`,
)

/** See rules/accounts.md: person names. */
export const personName = withoutSpecial(shortText(limits.personNameMin, limits.personNameMax))

/** Of a person in a list of people with rights. */
export const leavingMark = z
  .boolean()
  .describe('They asked to be deleted; without permissions until they cancel the deletion')

/** E-mail, or phone with or without its country; an at-sign makes it an e-mail (rules/accounts.md: account names). */
export const typedAccount = z.string().trim().min(1).max(limits.accountMax)

/** The person who receives a right by a call: a whole account, or one of the caller's friends by id. */
const namedPerson = {
  account: typedAccount.optional().describe('Or `userId`'),
  countryCode,
  userId: id.optional().describe('One of the caller’s friends; anyone else is an unknown account'),
}

/** A request that names a person by `account` or by `userId`, never by both. */
export function requestForPerson<Shape extends z.ZodRawShape>(fields: Shape) {
  return z.object({ ...fields, ...namedPerson }).superRefine(requireOneName)
}

function requireOneName(request: { account?: unknown; userId?: unknown }, context: z.RefinementCtx): void {
  const hasAccount = request.account !== undefined
  if (hasAccount !== (request.userId !== undefined)) return
  context.addIssue({ code: 'custom', path: [hasAccount ? 'userId' : 'account'], message: 'accountOrUserId' })
}

/** A request that names a receiver by `account`, by `userId` or, an enterprise, by `eid`: by exactly one of them. */
export function requestForReceiver<Shape extends z.ZodRawShape>(fields: Shape) {
  return z
    .object({ ...fields, ...namedPerson, eid: eidOrPersonal.describe('An enterprise, by its exact id') })
    .superRefine(requireOneReceiver)
}

function requireOneReceiver(
  request: { account?: unknown; userId?: unknown; eid?: unknown },
  context: z.RefinementCtx,
): void {
  const named = (['account', 'userId', 'eid'] as const).filter((field) => request[field] !== undefined)
  if (named.length === 1) return
  context.addIssue({ code: 'custom', path: [named[1] ?? 'account'], message: 'accountOrUserIdOrEid' })
}
