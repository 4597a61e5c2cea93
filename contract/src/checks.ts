import { z } from 'zod'
import { id, instant } from './fields.ts'
import { fileAnswer } from './file-answer.ts'
import { route } from './route.ts'

/** The parts of a check, in the order in which they are shown (rules/agents.md: check). */
export const checkParts = ['browser', 'platform', 'line', 'agent', 'connections', 'rights'] as const
export type CheckPart = (typeof checkParts)[number]

/** `unknown`: it could not be asked, such as the agent of a device that is away. */
export const checkPartStates = ['running', 'ok', 'attention', 'failed', 'unknown'] as const
export type CheckPartState = (typeof checkPartStates)[number]

/** The form of a fact's value, for its display. A `code` is a word of the interface. */
export type CheckFactForm = 'text' | 'code' | 'number' | 'yesNo' | 'instant' | 'ms' | 's' | 'bytes' | 'share'

/** The facts that a check can find, by name. */
export const checkFacts = {
  calledFrom: 'text',
  pushOpen: 'yesNo',
  browserMs: 'ms',
  browserClockMs: 'ms',
  databaseMs: 'ms',
  holderReached: 'yesNo',
  online: 'yesNo',
  neverSeen: 'yesNo',
  lastSeenAt: 'instant',
  connectedAt: 'instant',
  protocol: 'code',
  address: 'text',
  addressFamily: 'code',
  endReason: 'code',
  endedAt: 'instant',
  refusedAt: 'instant',
  refusedFrom: 'text',
  refusedHere: 'yesNo',
  twoUsers: 'yesNo',
  awayTogether: 'number',
  tunnel: 'yesNo',
  hadTunnel: 'yesNo',
  roundTripMs: 'ms',
  clockOffsetMs: 'ms',
  proxy: 'text',
  tlsIssuer: 'text',
  signal: 'text',
  simState: 'text',
  iccid: 'text',
  lastValueAt: 'instant',
  agentAnswers: 'yesNo',
  version: 'text',
  nodeVersion: 'text',
  system: 'text',
  upS: 's',
  load: 'number',
  processors: 'number',
  memoryFree: 'bytes',
  memoryUsed: 'bytes',
  diskFree: 'bytes',
  diskWell: 'yesNo',
  outboxWaiting: 'number',
  outboxOldestMs: 'ms',
  outboxDropped: 'number',
  uplinkFailure: 'text',
  driver: 'code',
  state: 'code',
  probe: 'code',
  probeMs: 'ms',
  failure: 'text',
  valueAgeMs: 'ms',
  role: 'code',
  denial: 'code',
  readOnly: 'yesNo',
  cloudService: 'yesNo',
  endsAt: 'instant',
  opensAt: 'instant',
  ownerLocked: 'yesNo',
} as const satisfies Record<string, CheckFactForm>
export type CheckFact = keyof typeof checkFacts
const checkFactNames = Object.keys(checkFacts) as [CheckFact, ...CheckFact[]]

/** The person who has to act. */
export const checkActors = ['nobody', 'you', 'keyHolder', 'onSite', 'it', 'operator', 'carrier'] as const
export type CheckActor = (typeof checkActors)[number]

const checkFact = z.object({
  fact: z.enum(checkFactNames),
  value: z.union([z.string(), z.number(), z.boolean()]),
  /** The connection that it is about; empty: the part itself. */
  of: z.string(),
})
export type CheckFactValue = z.output<typeof checkFact>

const checkPart = z.object({
  part: z.enum(checkParts),
  state: z.enum(checkPartStates),
  ms: z.int().nullable(),
  facts: z.array(checkFact),
})
export type CheckedPart = z.output<typeof checkPart>

const jobId = z.uuid()

/**
 * Begins a check of a device; pressed again while one of this person runs, it answers that one. The browser tells what it
 * knows of itself.
 */
export const startCheck = route({
  method: 'POST',
  path: '/api/v1/machine/check',
  who: { right: 'listed', machine: 'machineID' },
  title: { cn: '诊断设备', en: 'Check a device' },
  request: z.object({
    machineID: id,
    pushOpen: z.boolean().optional(),
    roundTripMs: z.int().min(0).max(600_000).optional(),
    sentAt: instant.optional(),
  }),
  answer: z.object({ jobId }),
  errors: [],
  limits: ['checks'],
})

/** A check of the caller, for a day; scene 20 tells of its parts. Less than it found where they may see less now. */
export const getCheck = route({
  method: 'GET',
  path: '/api/v1/machine/check/:jobId',
  who: 'user',
  title: { cn: '诊断结果', en: 'Get a check' },
  request: z.object({ jobId }),
  answer: z.object({
    jobId,
    machineId: id,
    state: z.enum(['running', 'done']),
    startedAt: instant,
    endedAt: instant.nullable(),
    parts: z.array(checkPart),
    result: z
      .object({
        cause: z.string(),
        who: z.enum(checkActors),
        isSure: z.boolean(),
        connection: z.string(),
        text: z.string(),
        itText: z.string(),
      })
      .nullable(),
  }),
  errors: ['404'],
})

const keys = { right: 'bkey+', orMember: 'manage', machine: 'machineId' } as const

/** The last hour, oldest first; the agent keeps no secret in it. */
export const getAgentLog = route({
  method: 'GET',
  path: '/api/v1/agents/:machineId/log',
  who: keys,
  title: { cn: '采集程序最近一小时的日志', en: 'Get the last hour of an agent’s log' },
  request: z.object({ machineId: id }),
  answer: z.object({
    lines: z.array(z.object({ at: instant, level: z.string(), event: z.string(), text: z.string() })),
    isCut: z.boolean(),
  }),
  errors: ['AGENT_AWAY', 'AGENT_OLD', 'NOT_REACHABLE'],
  limits: ['agentCalls'],
})

/** A file for support: versions, configuration without secrets, state, log. A piece that is missing is named in it. */
export const getSupportBundle = route({
  method: 'GET',
  path: '/api/v1/agents/:machineId/bundle',
  who: keys,
  title: { cn: '下载技术支持诊断包', en: 'Download a bundle for support' },
  request: z.object({ machineId: id }),
  answer: fileAnswer,
  file: true,
  errors: ['AGENT_AWAY', 'NOT_REACHABLE'],
  limits: ['agentCalls'],
  load: 'file',
})
