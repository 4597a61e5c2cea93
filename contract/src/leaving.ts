import { z } from 'zod'
import { code } from './account-fields.ts'
import { id, instant, nothing } from './fields.ts'
import { route } from './route.ts'

/** Obstacles to the deletion of an account: the person has to remove each of them first. */
export const leavingReasons = ['lastOwner', 'held', 'transfer'] as const
export type LeavingReason = (typeof leavingReasons)[number]

const hindrance = z.object({
  reason: z
    .enum(leavingReasons)
    .describe(
      'The last owner of an enterprise; the Akey of a device that others have; party to an open transfer',
    ),
  id: id.describe('Of the enterprise; otherwise of the device'),
  name: z.string(),
})
export type Hindrance = z.output<typeof hindrance>

export const getDeletion = route({
  method: 'GET',
  path: '/api/user/v1/account/deletion',
  who: 'user',
  title: { cn: '能否注销账号', en: 'Check whether your account can be deleted' },
  request: nothing,
  answer: z.object({
    until: instant.describe('When it would be erased if it were asked for now'),
    codeTo: z.enum(['email', 'phone']).describe('Where the code of deleteAccount has to go'),
    hindrances: z.array(hindrance).describe('At most 50 of each reason'),
  }),
  errors: [],
})

/** Needs the password within the last ten minutes. */
export const deleteAccount = route({
  method: 'DELETE',
  path: '/api/user/v1/account',
  who: 'user',
  limits: ['codeChecks'],
  title: { cn: '注销账号', en: 'Delete your account' },
  request: z.object({ code: code.describe('Sent with the purpose deleteAccount') }),
  answer: z.object({ until: instant.describe('Until then signing in cancels it') }),
  errors: [
    'PROOF_NEEDED',
    'CODE_WRONG',
    'CODE_CLOSED',
    'ACCOUNT_LAST_OWNER',
    'ACCOUNT_MACHINES_HELD',
    'ACCOUNT_TRANSFER_OPEN',
  ],
})
