import { z } from 'zod'
import { brandFields, brandRow } from './brand-fields.ts'
import { id, instant, nothing, paged } from './fields.ts'
import { paging, sortedBy } from './operator-paging.ts'
import { route } from './route.ts'

export * from './machine-imports.ts'
export { type BuiltInPicture, builtInPictures } from './machine-types.ts'
export * from './operator-enterprises.ts'
export * from './operator-facts.ts'
export * from './operator-jobs.ts'
export * from './operator-machine-types.ts'
export * from './operator-machines.ts'
export { rowsCountedMax, sortOrders } from './operator-paging.ts'
export * from './operator-people.ts'
export * from './operator-scada.ts'
export * from './operator-sims.ts'
export * from './operator-tiles.ts'
export * from './operator-visits.ts'

/** Parts of the platform whose health an operator sees. */
export const healthParts = ['database', 'ingest', 'rights', 'facts', 'outgoing', 'audit'] as const
export type HealthPart = (typeof healthParts)[number]
export const healthStates = ['ok', 'slow', 'down'] as const
export type HealthState = (typeof healthStates)[number]

export const getOverview = route({
  method: 'GET',
  path: '/api/operator/v1/overview',
  who: 'operator',
  title: { cn: '平台总览', en: 'Get the platform overview' },
  request: nothing,
  answer: z.object({
    at: instant,
    version: z.string(),
    startedAt: instant,
    counts: z.object({
      users: z.int(),
      usersToday: z.int().describe('People whose session was used in the last 24 hours'),
      usersNew: z.int().describe('Accounts made in the last 7 days'),
      operators: z.int(),
      enterprises: z.int(),
      machines: z.int(),
      machinesOwned: z.int(),
      machinesOnline: z.int(),
      scadaOpen: z.int(),
      scadaLate: z.int().describe('Requests pending for longer than 24 hours'),
    }),
    load: z.object({
      messages: z.int().describe('Of devices, since the start'),
      samples: z.int().describe('Committed since the start'),
      pushSockets: z.int(),
      tunnels: z.int(),
      visits: z.int(),
      requestsInFlight: z.int(),
      memoryBytes: z.int(),
    }),
    queues: z.array(z.object({ name: z.string(), length: z.int() })),
    health: z.array(
      z.object({
        part: z.enum(healthParts),
        state: z.enum(healthStates),
        value: z
          .number()
          .describe(
            'The figure that decides the state: milliseconds, for facts seconds, or how many are pending',
          ),
      }),
    ),
  }),
  errors: [],
})

export const listBrands = route({
  method: 'GET',
  path: '/api/operator/v1/brands',
  who: 'operator',
  title: { cn: '品牌列表', en: 'List brands' },
  request: z.object({
    ...paging,
    only: z.enum(['used', 'archived']).optional().describe('Neither: both'),
  }),
  answer: paged(brandRow),
  errors: [],
})

export const createBrand = route({
  method: 'POST',
  path: '/api/operator/v1/brands',
  who: 'operator',
  title: { cn: '新建品牌', en: 'Add a brand' },
  request: brandFields,
  answer: z.object({ id }),
  errors: ['BRAND_HOST_TAKEN', 'ACCENT_UNREADABLE', 'PICTURE_UNKNOWN', 'VISIT_DOMAIN_UNFIT'],
})

export const updateBrand = route({
  method: 'PUT',
  path: '/api/operator/v1/brands/:id',
  who: 'operator',
  title: { cn: '修改品牌', en: 'Edit a brand' },
  request: brandFields.extend({ id }),
  answer: nothing,
  errors: [
    '404',
    'BRAND_HOST_TAKEN',
    'BRAND_IS_ARCHIVED',
    'ACCENT_UNREADABLE',
    'PICTURE_UNKNOWN',
    'VISIT_DOMAIN_UNFIT',
  ],
})

/** Its hosts show the default brand, and everybody who signed in there has to sign in again. */
export const archiveBrand = route({
  method: 'POST',
  path: '/api/operator/v1/brands/:id/archive',
  who: 'operator',
  title: { cn: '归档品牌', en: 'Archive a brand' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404', 'BRAND_IS_DEFAULT'],
})

export const unarchiveBrand = route({
  method: 'DELETE',
  path: '/api/operator/v1/brands/:id/archive',
  who: 'operator',
  title: { cn: '恢复品牌', en: 'Restore an archived brand' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404'],
})

const outgoingRow = z.object({
  id,
  kind: z.enum(['sms', 'email']),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  state: z.string().describe('queued, sent, kept (for reading here) or failed'),
  error: z.string(),
  at: instant,
})
export type OutgoingRow = z.output<typeof outgoingRow>

/** By when they were made. */
export const outgoingOrders = ['at'] as const

export const listOutgoing = route({
  method: 'GET',
  path: '/api/operator/v1/outbox',
  who: 'operator',
  load: 'search',
  title: { cn: '发件箱', en: 'List outgoing SMS and e-mails' },
  request: z.object({
    ...paging,
    ...sortedBy(outgoingOrders),
    kind: z.enum(['sms', 'email']).optional(),
    userId: id.optional().describe('Only what went to an account of this person'),
  }),
  answer: paged(outgoingRow),
  errors: [],
})

const auditRow = z.object({
  id,
  at: instant,
  actor: z.string().describe('Empty: the platform itself, or a stranger'),
  actorUserId: id.nullable(),
  action: z.string(),
  target: z.string(),
  targetName: z.string().describe('Empty: the target is a name itself, or it is gone'),
  ip: z.string(),
  terminal: z.string(),
  result: z.enum(['ok', 'refused']),
  detail: z.record(z.string(), z.unknown()),
  sealed: z.boolean(),
})
export type AuditRow = z.output<typeof auditRow>

/** By when it was done. */
export const auditOrders = ['at'] as const

export const listAudit = route({
  method: 'GET',
  path: '/api/operator/v1/audit',
  who: 'operator',
  load: 'search',
  title: { cn: '审计日志', en: 'List the audit log' },
  request: z.object({
    ...paging,
    ...sortedBy(auditOrders),
    result: z.enum(['ok', 'refused']).optional(),
    userId: id.optional(),
    aboutUserId: id.optional().describe('Acts of this person, and acts on their account'),
    aboutMachineId: id.optional().describe('Acts on this device'),
    aboutEid: id.optional().describe('Acts in this enterprise and on it'),
    from: instant.optional(),
    to: instant.optional(),
  }),
  answer: paged(auditRow),
  errors: ['404'],
})
