import { z } from 'zod'
import { requestForReceiver } from './account-fields.ts'
import { id, instant, nothing } from './fields.ts'
import { route } from './route.ts'

/**
 * The receiver of an enterprise's devices after its deletion. An owner asks them, they accept, and a deletion that names
 * them hands all devices over when the enterprise is erased (docs/decisions/0032-leaving-for-good.md).
 */
export const handoverStates = ['asked', 'accepted'] as const
export type HandoverState = (typeof handoverStates)[number]

const handover = z.object({
  id,
  state: z.enum(handoverStates),
  to: z.string().describe('An enterprise is `#` with its id, until it accepts, to those outside of it'),
  toUserId: id.nullable(),
  toEid: id.nullable(),
  devices: z.int().describe('Devices that the enterprise owns now'),
  expireAt: instant.describe('Until then it can be accepted, and used by the deletion'),
})
export type Handover = z.output<typeof handover>

/** At most one request of an enterprise is open. */
export const askHandover = route({
  method: 'POST',
  path: '/api/enterprises/v1/:eid/handover',
  who: { ent: 'admin', eid: 'eid' },
  limits: ['asks'],
  title: { cn: '请求接收企业设备', en: 'Request the hand-over of an enterprise’s devices' },
  request: z.object({ eid: id, machinesTo: requestForReceiver({}) }),
  answer: z.object({ id }),
  errors: ['OWNER_ONLY', '01010304', 'ENTERPRISE_UNKNOWN', 'HANDOVER_SELF', 'HANDOVER_OPEN'],
})

export const getHandover = route({
  method: 'GET',
  path: '/api/enterprises/v1/:eid/handover',
  who: { ent: 'admin', eid: 'eid' },
  title: { cn: '企业设备的接收请求', en: 'Get the pending hand-over request of an enterprise' },
  request: z.object({ eid: id }),
  answer: z.object({ handover: handover.nullable() }),
  errors: ['OWNER_ONLY'],
})

export const withdrawHandover = route({
  method: 'DELETE',
  path: '/api/enterprises/v1/:eid/handover',
  who: { ent: 'admin', eid: 'eid' },
  title: { cn: '撤回接收请求', en: 'Withdraw the hand-over request of an enterprise' },
  request: z.object({ eid: id }),
  answer: nothing,
  errors: ['OWNER_ONLY', 'HANDOVER_GONE'],
})

const receivedHandover = z.object({
  id,
  enterprise: z.string().describe('The name of the enterprise that is to be deleted'),
  from: z.string().describe('The owner who asks'),
  toEid: id.nullable().describe('The enterprise that is asked; null: the caller'),
  devices: z.int().describe('Devices that come if the enterprise is deleted now'),
  expireAt: instant,
})
export type ReceivedHandover = z.output<typeof receivedHandover>

export const listHandovers = route({
  method: 'GET',
  path: '/api/enterprises/v1/handovers',
  who: 'user',
  title: { cn: '待答复的接收请求', en: 'List hand-over requests to you and your enterprises' },
  request: nothing,
  answer: z.array(receivedHandover),
  errors: [],
})

export const handoverActions = ['accept', 'refuse'] as const
export type HandoverAction = (typeof handoverActions)[number]

/** As the person asked, or with `ent:manage` of the enterprise asked. */
export const answerHandover = route({
  method: 'PUT',
  path: '/api/enterprises/v1/handovers/:id',
  who: 'user',
  title: { cn: '答复接收请求', en: 'Accept or decline a hand-over request' },
  request: z.object({ id, action: z.enum(handoverActions) }),
  answer: nothing,
  errors: ['HANDOVER_GONE', '04010115'],
})
