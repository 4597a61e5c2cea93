import { z } from 'zod'
import { id, instant, machineCode, shortText } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

/** The purposes that a maintenance team is let in for. */
export const maintenanceScopes = ['view', 'control', 'passthrough', 'alarm'] as const
export type MaintenanceScope = (typeof maintenanceScopes)[number]

/** The purposes of a service contract, which is a window without an end. */
export const contractScopes: readonly MaintenanceScope[] = ['view', 'alarm']

/** The end of a window without one. */
export const noEnd = -1
const stop = z.union([z.literal(noEnd), instant]).describe('-1: no end, a service contract')

/** Requested, refused, accepted, suspended by the owner, over. */
export const maintenanceStates = ['waiting', 'refused', 'accepted', 'suspended', 'ended'] as const
export type MaintenanceState = (typeof maintenanceStates)[number]

export const maintenanceActions = ['accept', 'refuse', 'suspend', 'resume', 'end'] as const
export type MaintenanceAction = (typeof maintenanceActions)[number]

const state = z.enum(maintenanceStates)
const scopes = z.array(z.enum(maintenanceScopes)).min(1).max(maintenanceScopes.length)

/**
 * The state of a window after each answer of the machine's Akey; any other pair is refused (rules/enterprises.md:
 * maintenance windows).
 */
export const maintenanceSteps: Readonly<
  Record<
    MaintenanceAction,
    { readonly from: readonly MaintenanceState[]; readonly to: Exclude<MaintenanceState, 'waiting'> }
  >
> = {
  accept: { from: ['waiting'], to: 'accepted' },
  refuse: { from: ['waiting'], to: 'refused' },
  suspend: { from: ['accepted'], to: 'suspended' },
  resume: { from: ['suspended'], to: 'accepted' },
  end: { from: ['accepted', 'suspended'], to: 'ended' },
}

/** The states in which the enterprise that asked can end its window. */
export const endableStates: readonly MaintenanceState[] = ['waiting', 'accepted', 'suspended']

export const requestMaintenance = route({
  method: 'POST',
  path: '/api/enterprises/v1/:eid/maintenance',
  who: { ent: 'maintain', eid: 'eid' },
  limits: ['asks'],
  title: { cn: '申请维保时段', en: 'Request a maintenance window' },
  request: z.object({
    eid: id,
    machineCode,
    start: instant,
    stop,
    scopes,
    reason: shortText(1, limits.maintenanceReasonMax),
  }),
  answer: z.object({ id, state: z.literal('waiting') }),
  errors: [
    '04010102',
    'WINDOW_INVALID',
    'CONTRACT_SCOPES',
    'MAINTENANCE_UNOWNED',
    'MAINTENANCE_OWN',
    'MAINTENANCE_FULL',
  ],
})

export const answerMaintenance = route({
  method: 'PUT',
  path: '/api/v1/maintenance/:id',
  who: { right: 'akey', maintenance: 'id' },
  title: { cn: '处理维保时段', en: 'Answer, suspend or end a maintenance window' },
  request: z.object({ id, action: z.enum(maintenanceActions) }),
  answer: z.object({ state }),
  errors: ['MAINTENANCE_STATE'],
})

/** The enterprise withdraws its request, or ends its window or contract. */
export const endMaintenance = route({
  method: 'DELETE',
  path: '/api/enterprises/v1/:eid/maintenance/:id',
  who: { ent: 'maintain', eid: 'eid' },
  title: { cn: '撤回或结束企业的维保', en: 'Withdraw or end an enterprise’s maintenance window' },
  request: z.object({ eid: id, id }),
  answer: z.object({ state }),
  errors: ['403', 'MAINTENANCE_STATE'],
})

const maintenanceWindow = z.object({
  id,
  eid: id,
  enterprise: z.string(),
  machineId: id,
  machineCode,
  machineName: z.string().describe('Empty to the enterprise that asks, until the owner consented'),
  start: instant,
  stop,
  scopes,
  reason: z.string(),
  state,
  requestedBy: z.string(),
  at: instant,
  mayAnswer: z.boolean().describe('The caller is Akey of the device'),
})
export type MaintenanceWindow = z.output<typeof maintenanceWindow>

/** The windows on machines whose Akey the caller is, also those of the caller's own enterprises. */
export const listMaintenance = route({
  method: 'GET',
  path: '/api/v1/maintenance',
  who: 'user',
  title: { cn: '我的设备的维保时段', en: 'List the maintenance windows of your devices' },
  request: z.object({}),
  answer: z.array(maintenanceWindow),
  errors: [],
})

export const listEnterpriseMaintenance = route({
  method: 'GET',
  path: '/api/enterprises/v1/:eid/maintenance',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '企业申请的维保时段', en: 'List the maintenance windows requested by an enterprise' },
  request: z.object({ eid: id }),
  answer: z.array(maintenanceWindow),
  errors: [],
})
