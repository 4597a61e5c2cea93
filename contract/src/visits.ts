import { z } from 'zod'
import { reachedBy, type VisitMode, visitModes } from './access.ts'
import { id, instant, nothing, page, paged, pageSize, shortText, terminalId } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'
import { tagValue } from './telemetry.ts'

export { type VisitMode, visitModes }

/** Why a visit ended; a closed list, each with a text in the console and on the visit host's own page. */
export const visitEndReasons = [
  'left',
  'ended',
  'idle',
  'timeUp',
  'visitTimeOver',
  'rightLost',
  'cloudOff',
  'signedOut',
  'replaced',
  'platform',
] as const
export type VisitEndReason = (typeof visitEndReasons)[number]

/** The holder of a machine's controller. */
const controller = z.object({
  me: z.boolean().describe('The caller is in control'),
  who: z.string().nullable().describe('The holder’s name; null when it is free'),
  since: instant.nullable(),
  sessionId: id.nullable().describe('The visit that has it; null for a write without a visit'),
  until: instant.nullable().describe('When it is released automatically; null while its visit lasts'),
})
export type Controller = z.output<typeof controller>

/** Why a visit is not open to the caller now; HTTP 200 each. */
export const auditErrors = [
  'BLACKLIST',
  'ADMINISTRATOR',
  'GENERAL_USER',
  'WRONG_ROLE',
  'CLOUD_EXPIRED',
  'ClOUD_VISIT_TIMEOUT',
  'REST_TIME_OUT',
] as const

export const checkVisit = route({
  method: 'POST',
  path: '/api/v1/audit/checkCloudServiceState',
  who: 'user',
  title: { cn: '检查能否进入', en: 'Check whether you can enter a device' },
  request: z.object({
    machineID: id,
    visitAlidTimeID: z
      .union([id, z.literal([0, -1])])
      .optional()
      .describe('Compared, never trusted; 0 or -1 of a key, which has none'),
    limitAuthority: z.int().min(0).max(3).optional().describe('Compared, never trusted'),
    terminalID: terminalId,
  }),
  answer: z.object({
    cloudService: z.boolean(),
    online: z.boolean().describe('Its tunnel is there'),
    role: z.int().min(0).max(3),
    mode: z.enum(visitModes),
    visitTime: z.int(),
    next: z.enum(['open', 'password', 'apply', 'closed']),
  }),
  errors: [...auditErrors],
})

export const openVisit = route({
  method: 'POST',
  path: '/api/v1/audit/getValidVisitUrl',
  who: { right: 'visitor+', machine: 'machineID', refuse: 'audit', ticket: 'ticket' },
  title: { cn: '进入设备', en: 'Get the address of a visit' },
  request: z.object({
    machineID: id,
    terminalID: terminalId,
    ticket: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe('Of checkMachinePwd: gives the caller access for an hour; a key of the device needs none'),
    mode: z.enum(visitModes).default('rw').describe('With a ticket: what is asked for'),
    target: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?$/)
      .refine((name) => !name.includes('--') && name !== 'agent')
      .default('page')
      .describe('A local target of the agent; its own page by default'),
    path: z
      .string()
      .max(limits.visitPathMax)
      .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/)
      .default('/')
      .describe('Where the page opens, a path of the device’s host with its query'),
  }),
  answer: z.object({
    url: z.string(),
    testUrl: z.string(),
    expireAt: instant.describe('When the visit ends at the latest'),
    mode: z.enum(visitModes),
    sessionId: id,
    controller,
  }),
  errors: [
    ...auditErrors,
    'VISITS_OFF',
    'TARGET_UNKNOWN',
    'TARGET_NOT_READ_ONLY',
    'CONTROL_TAKEN',
    '505',
    'MACHINE_UNOWNED',
    '01010307',
  ],
})

/** The pages of a machine that can be entered, as its agent reports them. */
export const listTargets = route({
  method: 'GET',
  path: '/api/v1/visits/targets',
  who: { right: 'visitor+', machine: 'machineId', refuse: 'audit' },
  title: { cn: '可进入的页面', en: 'List the pages of a device' },
  request: z.object({ machineId: id }),
  answer: z.object({
    targets: z.array(
      z.object({
        name: z.string(),
        readOnly: z.boolean().describe('Whether a read-only visit can open it'),
      }),
    ),
  }),
  errors: [...auditErrors],
})

/** The kinds of TCP ports; each has its own tools. */
export const portKinds = ['modbus', 's7', 'opcua', 'codesys', 'ssh', 'vnc', 'rdp', 'http', 'other'] as const
export type PortKind = (typeof portKinds)[number]

/** The TCP ports of a machine that its agent opens, with what the caller may do at each. */
export const listPorts = route({
  method: 'GET',
  path: '/api/v1/visits/ports',
  who: { right: 'visitor+', machine: 'machineId', refuse: 'audit' },
  programs: ['connect'],
  title: { cn: '可连接的端口', en: 'List the ports of a device' },
  request: z.object({ machineId: id }),
  answer: z.object({
    ports: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(portKinds),
        note: z.string().describe('As the file of the agent says'),
        look: z
          .enum(['nobody', 'users', 'visitors'])
          .describe('The people who can look without changing anything'),
        roundTripMs: z
          .number()
          .nullable()
          .describe('How long its last connection took to open; null before one'),
        mayChange: z.boolean().describe('The caller may open it with everything that a tool does'),
        mayLook: z.boolean().describe('The caller may open it to look'),
        hint: z.string().describe('The settings that a tool needs for it, in the caller’s language'),
      }),
    ),
  }),
  errors: [...auditErrors],
})

/**
 * Opens a visit of a machine's ports, or joins the live one of the same session. Each TCP stream is a WebSocket of
 * `connectUrl` that shows a ticket once; further ones come over an open stream.
 */
export const openPorts = route({
  method: 'POST',
  path: '/api/v1/visits/tcp',
  who: { right: 'visitor+', machine: 'machineID', refuse: 'audit' },
  programs: ['connect'],
  title: { cn: '连接设备端口', en: 'Connect to the ports of a device' },
  request: z.object({
    machineID: id,
    terminalID: terminalId,
    mode: z.enum(visitModes).describe('rw takes control of the device'),
  }),
  answer: z.object({
    sessionId: id,
    connectUrl: z.string().describe('The address of the WebSockets'),
    ticket: z.string().describe('Opens one of them, once, within 60 seconds'),
    expireAt: instant.describe('When the visit ends at the latest'),
    mode: z.enum(visitModes),
  }),
  errors: [
    ...auditErrors,
    'PORTS_NONE',
    'PORTS_NOT_ALLOWED',
    'PORTS_NOT_LOOKABLE',
    'READ_ONLY',
    'CONTROL_TAKEN',
  ],
})

export const testVisitUrl = route({
  method: 'POST',
  path: '/api/tls/testMachineState',
  who: 'user',
  title: { cn: '测试设备连接', en: 'Check whether a device responds' },
  request: z.object({ testUrl: z.string().max(512) }),
  answer: z.object({ state: z.enum(['online', 'offline']), rttMs: z.number().nullable() }),
  errors: [],
})

const visit = z.object({
  sessionId: id,
  user: z.object({ userId: id, name: z.string(), me: z.boolean() }),
  machine: z.object({ machineId: id, machineCode: z.string(), name: z.string() }),
  kind: z.enum(['page', 'tcp']),
  target: z.string(),
  mode: z.enum(visitModes),
  by: z.enum(reachedBy).nullable().describe('The permission it was entered with; null where it is unknown'),
  project: z.string().nullable().describe('The project whose portal shows the device; null for other visits'),
  from: instant,
  until: instant.describe('The end: past when it is over, else when it ends at the latest'),
  idleAt: instant.nullable().describe('When it ends if nothing happens; null when it is over or attended'),
  live: z.boolean(),
  releaseAt: instant
    .nullable()
    .describe('When its control is released because its page is closed; null where no release is near'),
  bytesIn: z.number().describe('From the visitor to the device'),
  bytesOut: z.number(),
  ports: z
    .array(
      z.object({
        name: z.string(),
        kind: z.enum(portKinds),
        streams: z.number().describe('TCP connections that were opened'),
        bytesIn: z.number().describe('From the visitor to the device'),
        bytesOut: z.number(),
        reads: z.number().describe('Requests that read, of kinds modbus and s7'),
        writes: z.number().describe('Requests that changed something'),
        refused: z.number().describe('Requests that the agent refused in a visit that can only look'),
      }),
    )
    .describe('The ports that a visit of kind tcp used'),
  controls: z.boolean().describe('This visit is in control'),
  asks: z.boolean().describe('It asked for the controller'),
  endedBy: z.string().nullable(),
  reason: z.enum(visitEndReasons).nullable(),
  note: z.string().describe('Why someone ended it, in their own words'),
})
export type Visit = z.output<typeof visit>

export const listVisits = route({
  method: 'GET',
  path: '/api/v1/visits',
  who: 'user',
  title: { cn: '访问记录', en: 'List visits' },
  request: z.object({
    machineId: id
      .optional()
      .describe('A device of the caller: its keys see all visits, anyone else their own'),
    live: z.boolean().optional(),
    from: instant.optional().describe('Those that lasted into this span'),
    to: instant.optional(),
    who: shortText(0, limits.personNameMax).optional().describe('Part of the visitor’s name'),
    page,
    pageSize: pageSize(20, 200),
  }),
  answer: paged(visit),
  errors: [],
})

export const endVisit = route({
  method: 'DELETE',
  path: '/api/v1/visits/:sessionId',
  who: 'user',
  programs: ['connect'],
  title: { cn: '结束访问', en: 'End a visit' },
  request: z.object({ sessionId: id, reason: shortText(0, limits.visitEndNoteMax).optional() }),
  answer: nothing,
  errors: ['404'],
})

/** Something happened: the idle clock of one’s own visit starts anew. */
export const extendVisit = route({
  method: 'POST',
  path: '/api/v1/visits/:sessionId/extend',
  who: 'user',
  title: { cn: '延长访问', en: 'Extend a visit' },
  request: z.object({ sessionId: id }),
  answer: z.object({ until: instant, idleAt: instant.nullable() }),
  errors: ['404'],
})

/**
 * `take`: for the caller's visit, if it is free, or for a key from anybody; else it asks the holder. `release`: gives
 * up the caller's own. `hand`: the holder or a key gives it to the visit `to`, or without it to the visit named in the
 * path. `keep`: the caller's own stays for a while though no page of the visit is open.
 */
export const controlVisit = route({
  method: 'POST',
  path: '/api/v1/visits/:sessionId/control',
  who: 'user',
  programs: ['connect'],
  title: { cn: '控制权', en: 'Take, release or hand over control' },
  request: z.object({
    sessionId: id,
    action: z.enum(['take', 'release', 'hand', 'keep']),
    to: id.optional(),
  }),
  answer: z.object({ controller, asked: z.boolean().describe('Requested, not taken') }),
  errors: ['404', 'READ_ONLY', 'GIVER_READ_ONLY'],
})

/**
 * The visits to which the caller may hand control over by `controlVisit`: for a key all others at the machine, for the
 * person in control their own and those that asked. Those that asked come first.
 */
export const listControlTakers = route({
  method: 'GET',
  path: '/api/v1/visits/:sessionId/takers',
  who: 'user',
  programs: ['connect'],
  title: { cn: '可接收控制权的访问', en: 'List the visits that can be handed control' },
  request: z.object({ sessionId: id }),
  answer: z.object({
    takers: z.array(
      z.object({
        sessionId: id,
        user: z.object({ userId: id, name: z.string(), me: z.boolean() }),
        asks: z.boolean().describe('It asked for the controller'),
      }),
    ),
  }),
  errors: ['404'],
})

const write = z.object({
  id,
  at: instant,
  user: z.string().describe('Empty: at the device itself'),
  sessionId: id.nullable(),
  tagId: id,
  tag: z.string(),
  from: z.union([z.boolean(), z.number(), z.string(), z.null()]),
  to: z.union([z.boolean(), z.number(), z.string(), z.null()]),
  state: z.enum(['sent', 'confirmed', 'failed', 'timedOut']),
  kept: z.union([z.boolean(), z.number(), z.string(), z.null()]),
  reason: z.string().describe('Why it failed, in the device’s words'),
  note: z.string().describe('The reason that the writer gave'),
})
export type WriteLogEntry = z.output<typeof write>

export const listVisitWrites = route({
  method: 'GET',
  path: '/api/v1/visits/:sessionId/writes',
  who: 'user',
  title: { cn: '访问期间的写入', en: 'List the values written in a visit' },
  request: z.object({ sessionId: id }),
  answer: z.array(write).max(limits.writesPerList),
  errors: ['404'],
})

/** The ways by which a person changes values: a write here, a page of the device, a tool through a port. */
export const changeWays = ['write', 'page', 'port'] as const
export type ChangeWay = (typeof changeWays)[number]

const visitChange = z.object({
  tagId: id.nullable().describe('Null: a place that no variable of the device has'),
  tag: z.string().describe('The name of the variable; empty without one'),
  port: z.string().nullable().describe('The port that a tool wrote through'),
  unit: z.int().nullable().describe('Of Modbus'),
  place: z.string().nullable().describe('The address in the controller, as the configuration spells it'),
  ways: z.array(z.enum(changeWays)),
  from: tagValue.describe('Before; null: unknown'),
  to: tagValue.describe('Afterwards; null: unknown'),
  at: instant.describe('The last writing'),
  mayPutBack: z.boolean().describe('The variable can be written, and both values are known'),
})
export type VisitChange = z.output<typeof visitChange>

const visitDrift = z.object({ tagId: id, tag: z.string(), from: tagValue, to: tagValue })
export type VisitDrift = z.output<typeof visitDrift>

const visitChanges = z.object({
  state: z
    .enum(['none', 'open', 'settling', 'done'])
    .describe('none: it never controlled the device; settling: it just ended, its last values are awaited'),
  changes: z.array(visitChange).max(limits.visitChangesMax),
  drifts: z.array(visitDrift).max(limits.visitChangesMax).describe('Once it is done'),
  revision: z
    .object({ from: z.int(), to: z.int() })
    .nullable()
    .describe('Of the agent’s configuration, where it changed'),
  isCut: z.boolean().describe('There are more than these'),
})
export type VisitChanges = z.output<typeof visitChanges>

/** The values that a visit’s person left different, and those that became different without a writing of anybody. */
export const getVisitChanges = route({
  method: 'GET',
  path: '/api/v1/visits/:sessionId/changes',
  who: 'user',
  title: { cn: '访问造成的变更', en: 'List the changes of a visit' },
  request: z.object({ sessionId: id }),
  answer: visitChanges,
  errors: ['404'],
})

/** Writes the former values of changed variables, each on its own; one that was changed since is refused. */
export const putBackChanges = route({
  method: 'POST',
  path: '/api/v1/visits/:sessionId/putBack',
  who: 'user',
  title: { cn: '恢复原值', en: 'Put changed values back' },
  request: z.object({ sessionId: id, tagIds: z.array(id).min(1).max(limits.putBackMax) }),
  answer: z.object({
    results: z.array(
      z.object({
        tagId: id,
        commandId: id.nullable().describe('Null: not sent'),
        refusal: z.string().describe('The error’s code; empty where it was sent'),
        why: z.string().describe('The error in the caller’s language'),
      }),
    ),
  }),
  errors: ['404'],
})

/** Every write to a machine, newest first. */
export const listMachineWrites = route({
  method: 'GET',
  path: '/api/v1/data/:machineId/writes',
  who: { right: 'bkey+', machine: 'machineId' },
  title: { cn: '写入记录', en: 'List the values written to a device' },
  request: z.object({ machineId: id, page, pageSize: pageSize(20, 200) }),
  answer: paged(write),
  errors: [],
})

/** A machine's visits and writes of a span, for a report of remote maintenance; the earliest first. */
export const getVisitReport = route({
  method: 'GET',
  path: '/api/v1/visits/report',
  who: { right: 'bkey+', machine: 'machineId' },
  load: 'report',
  title: { cn: '远程维保报告', en: 'Get a remote maintenance report' },
  request: z.object({ machineId: id, from: instant, to: instant }),
  answer: z.object({
    machine: z.object({ machineId: id, machineCode: z.string(), name: z.string() }),
    from: instant,
    to: instant,
    visits: z.array(visit).max(limits.reportVisitsMax),
    writes: z.array(write).max(limits.reportWritesMax),
    changes: z
      .array(visitChange.extend({ sessionId: id, user: z.string() }))
      .max(limits.reportChangesMax)
      .describe('The values that these visits left different'),
    isCut: z.boolean().describe('More than one report has room for: select a shorter span'),
  }),
  errors: ['SPAN_INVALID'],
})
