import { z } from 'zod'
import { visitModes, visitTimes } from './access.ts'
import {
  id,
  instant,
  machineCode,
  nothing,
  page,
  paged,
  pageSize,
  remark,
  shortText,
  terminalId,
} from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export { type AuditState, auditStates } from './audit-states.ts'

/** To become Bkey, or a visitor. */
export const applicationKinds = ['bind', 'visit'] as const
export type ApplicationKind = (typeof applicationKinds)[number]

const auditState = z
  .int()
  .min(0)
  .max(6)
  .describe('0 pending, 1 pending a Bkey, 2 pending the Akey; 3 and 4 refused, 5 passed, 6 over')
const bit = z.union([z.literal(0), z.literal(1)])
const message = shortText(0, limits.visitMessageMax).default('')
const ticket = z.string().min(1).max(128).optional().describe('Of checkMachinePwd')
const validTime = z
  .union([z.literal(visitTimes.forever), z.int().min(limits.visitMinutesMin).max(limits.visitMinutesMax)])
  .describe('Minutes from the approval, at least 10; -1 forever')

const applied = z.object({
  applyId: id.nullable().describe('Null: nothing was opened, the visit time the caller has still runs'),
  auditState,
})

/** The reasons why a person cannot apply, HTTP 200 each. */
const applyErrors = ['BLACKLIST', 'ADMINISTRATOR', 'GENERAL_USER', 'MACHINE_UNOWNED', '505'] as const

export const applyForVisit = route({
  method: 'POST',
  path: '/api/v1/audit/addVisit',
  who: 'user',
  title: { cn: '申请访问', en: 'Request to visit a device' },
  request: z.object({
    machineID: id,
    terminalID: terminalId,
    message,
    terminalName: shortText(0, limits.terminalNameMax).default(''),
    ticket,
    mode: z.enum(visitModes).default('rw').describe('The mode asked for; a key may give less'),
  }),
  answer: applied,
  errors: [...applyErrors, 'VISIT_TOO_OFTEN'],
})

export const applyForBind = route({
  method: 'POST',
  path: '/api/v1/audit/addBind',
  who: 'user',
  title: { cn: '申请成为 Bkey', en: 'Request to become a Bkey' },
  request: z.object({
    machineID: id,
    remarks: remark.default(''),
    message,
    ticket,
  }),
  answer: applied,
  errors: [...applyErrors, 'BIND_TOO_OFTEN'],
})

export const checkMachinePassword = route({
  method: 'POST',
  path: '/api/v1/audit/checkMachinePwd',
  who: 'user',
  title: { cn: '验证设备密码', en: 'Check the device password' },
  request: z.object({
    machineID: id.optional(),
    machineCode: machineCode.optional(),
    password: z.string().max(limits.machinePasswordMax),
  }),
  answer: z.object({ ticket: z.string(), expireIn: z.int().describe('Seconds') }),
  errors: ['505', '04010114', 'GENERAL_USER', 'BLACKLIST', 'PASSWORD_MODE_OFF'],
})

/** A key's answer to an application, by machine and person: the older form of `verifyVisit`. */
const reply = {
  messageID: id,
  machineID: id,
  userID: id,
  state: bit.describe('1 approves, 0 refuses'),
  isBlack: z.boolean().default(false),
}
const replied = z.object({ auditState })
const replyErrors = [
  'BLACKLIST',
  'GENERAL_USER',
  'WRONG_ROLE',
  '01010306',
  '01010307',
  'APPLICATION_GONE',
] as const

export const replyToVisit = route({
  method: 'POST',
  path: '/api/v1/audit/visitReply',
  who: { right: 'bkey+', machine: 'machineID', refuse: 'audit', admitsReadOnly: true },
  title: { cn: '答复访问申请', en: 'Answer a visit request' },
  request: z.object({ ...reply, validTime: validTime.optional() }),
  answer: replied,
  errors: [...replyErrors],
})

export const replyToBind = route({
  method: 'POST',
  path: '/api/v1/audit/bindReply',
  who: { right: 'bkey+', machine: 'machineID', refuse: 'audit', admitsReadOnly: true },
  title: { cn: '答复 Bkey 申请', en: 'Answer a Bkey request' },
  request: z.object(reply),
  answer: replied,
  errors: [...replyErrors],
})

const verdict = {
  msgId: id.optional(),
  applyId: id,
  pass: z.boolean(),
  blacklist: z.boolean().default(false).describe('With a refusal'),
}

export const verifyBind = route({
  method: 'POST',
  path: '/api/msg/v1/device/bind/verify',
  aliases: ['/api/device/bind/verify'],
  who: { right: 'bkey+', application: 'applyId', refuse: 'audit', admitsReadOnly: true },
  title: { cn: '审核 Bkey 申请', en: 'Approve or decline a Bkey request' },
  request: z.object({ ...verdict, limitRead: bit.optional(), limitAlarm: bit.optional() }),
  answer: replied,
  errors: [...replyErrors],
})

export const verifyVisit = route({
  method: 'POST',
  path: '/api/msg/v1/device/visit/verify',
  aliases: ['/api/device/visit/verify'],
  who: { right: 'bkey+', application: 'applyId', refuse: 'audit', admitsReadOnly: true },
  title: { cn: '审核访问申请', en: 'Approve or decline a visit request' },
  request: z.object({
    ...verdict,
    validTime: validTime.optional().describe('Needed to approve'),
    mode: z.enum(visitModes).default('ro'),
  }),
  answer: replied,
  errors: [...replyErrors],
})

export const cancelApplication = route({
  method: 'POST',
  path: '/api/v1/audit/cancel',
  who: 'user',
  title: { cn: '撤回申请', en: 'Withdraw a request' },
  request: z.object({ applyId: id }),
  answer: nothing,
  errors: ['APPLICATION_GONE'],
})

/** The events of an application, in order. */
export const applicationSteps = [
  'applied',
  'proposed',
  'password',
  'passed',
  'refused',
  'withdrawn',
  'expired',
] as const
export type ApplicationStep = (typeof applicationSteps)[number]

const stepRow = z.object({
  applyId: id,
  kind: z.enum(applicationKinds),
  step: z.enum(applicationSteps),
  key: z.enum(['', 'A', 'B']).describe('Which key; empty: the applicant, or time'),
  byMasked: z.string().describe('The person, as far as the caller may know'),
  state: auditState,
  at: instant,
})
export type ApplicationStepRow = z.output<typeof stepRow>

/** The applicant sees their own applications, the machine's keys everybody's. */
export const listApplicationSteps = route({
  method: 'GET',
  path: '/api/v1/devices/auditProcess',
  who: 'user',
  title: { cn: '审核进度', en: 'Get the progress of a request' },
  request: z.object({ applyId: id.optional(), deviceId: id.optional().describe('One of the two') }),
  answer: z.array(stepRow),
  errors: ['APPLICATION_GONE'],
})

const application = z.object({
  applyId: id,
  kind: z.enum(applicationKinds),
  userId: id,
  name: z.string(),
  phone: z.string().describe('Masked'),
  email: z.string().describe('Masked'),
  proposedBy: z.string().describe('The Bkey who proposed it; empty: the person themselves'),
  message: z.string(),
  remarks: z.string(),
  terminalName: z.string(),
  wish: z.enum(visitModes),
  auditState,
  createdAt: instant,
  expireAt: instant,
  endedAt: instant.nullable(),
  mayAnswer: z.boolean().describe('Needs the caller’s answer'),
})
export type Application = z.output<typeof application>

export const listApplications = route({
  method: 'GET',
  path: '/api/v1/machine/:id/applications',
  who: { right: 'bkey+', machine: 'id' },
  title: { cn: '设备的申请', en: 'List the requests for a device' },
  request: z.object({
    id,
    open: z.boolean().optional().describe('Only pending ones, or only those that are over'),
    page,
    pageSize: pageSize(20, 200),
  }),
  answer: paged(application),
  errors: [],
})

/** Of a visitor, past or present, or of an applicant. */
export const visitStatuses = ['approved', 'refused', 'waiting', 'expired'] as const
export type VisitStatus = (typeof visitStatuses)[number]

export const listVisitTimes = route({
  method: 'POST',
  path: '/api/device/v1/admin/visit/detail/page',
  aliases: ['/api/device/v1/admin/visit/time'],
  who: { right: 'bkey+', machine: 'deviceId', admitsReadOnly: true },
  title: { cn: '访客与访问时间', en: 'List visitors, visit requests and visit times' },
  request: z.object({ deviceId: id, page, pageSize: pageSize(6, 200) }),
  answer: paged(
    z.object({
      id: id.describe('Of the grant, or of the request where there is none'),
      userId: id,
      name: z.string(),
      phone: z.string().describe('Masked: first 3 and last 4 digits kept'),
      email: z.string().describe('Masked'),
      visitTime: z.int().describe('-1 forever, 0 over or none, otherwise its end'),
      visitTimeId: id.nullable(),
      status: z.enum(visitStatuses),
    }),
  ),
  errors: [],
})

/** The next step after a refused entry (`hwdata` of a refusal by `checkCloudServiceState`). */
export const nextSteps = ['open', 'password', 'apply', 'wait', 'closed'] as const
export type NextStep = (typeof nextSteps)[number]

/** `hwdata` of a refusal by `checkCloudServiceState`: the person's next step. */
export interface EntryDenial {
  readonly next: NextStep
  /** The caller's application that waits. */
  readonly applyId?: number
  readonly auditState?: number
  /** When a maintenance window opens; epoch milliseconds. */
  readonly opensAt?: number
}
