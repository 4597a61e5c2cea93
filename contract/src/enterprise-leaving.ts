import { z } from 'zod'
import { code } from './account-fields.ts'
import { id, instant, nothing } from './fields.ts'
import { route } from './route.ts'

/** By an owner, with a code sent to them. Its members lose their rights until the deletion is taken back. */
export const deleteEnterprise = route({
  method: 'DELETE',
  path: '/api/enterprises/v1/:eid',
  who: { ent: 'admin', eid: 'eid' },
  limits: ['codeChecks'],
  title: { cn: '注销企业', en: 'Delete an enterprise' },
  // Two fields and no object: this call is sent with a query.
  request: z
    .object({
      eid: id,
      code: code.describe('Sent with the purpose deleteEnterprise'),
      machinesToUserId: id
        .optional()
        .describe('The person who accepted by answerHandover gets all devices at the erasure'),
      machinesToEid: id
        .optional()
        .describe('Or the enterprise that accepted; with neither the devices have no owner then'),
    })
    .refine(({ machinesToUserId, machinesToEid }) => !(machinesToUserId && machinesToEid), {
      path: ['machinesToEid'],
      error: 'userIdOrEid',
    }),
  answer: z.object({ until: instant.describe('Until then any owner can cancel it') }),
  errors: ['OWNER_ONLY', 'CODE_WRONG', 'CODE_CLOSED', 'HANDOVER_NOT_ACCEPTED'],
})

const leavingEnterprise = z.object({ eid: id, name: z.string(), until: instant })
export type LeavingEnterprise = z.output<typeof leavingEnterprise>

export const listLeavingEnterprises = route({
  method: 'GET',
  path: '/api/enterprises/v1/leaving',
  who: 'user',
  title: { cn: '待注销的企业', en: 'List your enterprises scheduled for deletion' },
  request: nothing,
  answer: z.array(leavingEnterprise).describe('Those the caller owns'),
  errors: [],
})

/** Gives the members every right back that they had. */
export const keepEnterprise = route({
  method: 'PUT',
  path: '/api/enterprises/v1/:eid/keep',
  who: 'user',
  title: { cn: '撤销注销企业', en: 'Cancel the deletion of an enterprise' },
  request: z.object({ eid: id }),
  answer: nothing,
  errors: ['404'],
})
