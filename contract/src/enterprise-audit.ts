import { z } from 'zod'
import { id, instant, page, paged, pageSize } from './fields.ts'
import { memberRights, route } from './route.ts'

const entry = z.object({
  id,
  at: instant,
  actor: z.string().describe('Empty: the platform, or a deleted account'),
  actorUserId: id.nullable(),
  action: z.string().describe('Such as enterprise.member.invite'),
  target: z.string().describe('The name of the person, team, group or device; empty: the enterprise itself'),
  machineCode: z.string().describe('Empty where it is about no device'),
  people: z.array(z.string()).describe('Names of further people it is about'),
  machines: z.array(z.string()).describe('Names of the devices of a team'),
  role: z.string().describe('Empty where it gives none'),
  rights: z.array(z.enum(memberRights)),
})
export type EnterpriseAuditEntry = z.output<typeof entry>

/** Lists that grow endlessly are counted up to this: their `total` is at most this. */
export const enterpriseAuditCountedMax = 10_000

export const listEnterpriseAudit = route({
  method: 'GET',
  path: '/api/enterprises/v1/:eid/audit',
  who: { ent: 'admin', eid: 'eid' },
  load: 'search',
  title: { cn: '企业操作记录', en: 'List the audit log of an enterprise' },
  request: z.object({
    eid: id,
    page,
    pageSize: pageSize(50, 200),
    search: z
      .string()
      .trim()
      .max(100)
      .optional()
      .describe('Part of a member’s or device’s name, or the beginning of a code, a team or an action'),
    sort: z.enum(['at']).optional(),
    order: z.enum(['asc', 'desc']).default('desc'),
    from: instant.optional(),
    to: instant.optional(),
  }),
  answer: paged(entry),
  errors: [],
})
