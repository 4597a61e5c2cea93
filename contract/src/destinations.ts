import { z } from 'zod'
import { byRule, id, instant, nothing, page, paged, pageSize, shortText } from './fields.ts'
import { projectLimits } from './project-limits.ts'
import { route } from './route.ts'

export const destinationTypes = ['webhook', 'mqtt'] as const
export type DestinationType = (typeof destinationTypes)[number]

/** Forms of rows; `flat` is that of HMI vendors, `sparkplug` Sparkplug B, which brokers only have. */
export const rowFormats = ['json', 'flat', 'sparkplug'] as const
export type RowFormat = (typeof rowFormats)[number]

/** Events that a webhook may get beside rows; they are not counted. */
export const projectEvents = [
  'alarm.raised',
  'alarm.cleared',
  'alarm.acknowledged',
  'machine.online',
  'machine.offline',
] as const
export type ProjectEvent = (typeof projectEvents)[number]

/** `off`: by a person; `switchedOff`: by the platform, which says why. */
export const destinationStates = ['on', 'off', 'switchedOff'] as const
export type DestinationState = (typeof destinationStates)[number]

/** Why a destination is switched off. */
export const switchOffReasons = ['gone', 'failedTooLong', 'operator'] as const
export type SwitchOffReason = (typeof switchOffReasons)[number]

/** The faults between the platform and a destination; each has a sentence on screens. */
export const destinationFaults = [
  'addressRefused',
  'nameUnknown',
  'refused',
  'timeout',
  'tls',
  'reset',
  'answerTooLarge',
  'redirect',
  'protocol',
  'status',
  'signInRefused',
  'brokerBusy',
  'brokerRefused',
  'takenOver',
  'rowRefused',
] as const
export type DestinationFault = (typeof destinationFaults)[number]

export const mqttVersions = ['3.1.1', '5'] as const
export type MqttVersion = (typeof mqttVersions)[number]

const line = (max: number) => byRule(z.string().max(max), ['noControls'], 'controlCharacters')
const pem = z
  .string()
  .max(projectLimits.pemMax)
  .regex(/^(?:$|\s*-----BEGIN )/, { message: 'pem' })

/** A level of a Sparkplug topic. */
const sparkplugName = line(projectLimits.sparkplugNameMax).regex(/^[^+#/]*$/, { message: 'topicLevel' })

/** How a broker is signed in to, and where it gets rows. */
const shownMqtt = {
  version: z.enum(mqttVersions).default('5'),
  clientId: line(projectLimits.clientIdMax).default(''),
  username: line(projectLimits.brokerUserMax).default(''),
  topic: z
    .string()
    .max(projectLimits.topicMax * 10)
    .default('')
    .describe('Of rows in JSON; Sparkplug has its own'),
  group: sparkplugName.default('').describe('Of Sparkplug; empty: `busbar`'),
  edgeNode: sparkplugName.default('').describe('Of Sparkplug; empty: `project-` and the id of the project'),
  ca: pem.default(''),
  pin: z
    .string()
    .regex(/^(?:(?:[\dA-Fa-f]{2}:?){31}[\dA-Fa-f]{2})?$/, { message: 'sha256' })
    .default(''),
  certificate: pem.default(''),
}
const sentMqtt = z.object({
  ...shownMqtt,
  password: line(projectLimits.brokerPasswordMax).optional(),
  privateKey: pem.optional(),
})
const mqtt = z.object({ ...shownMqtt, hasPassword: z.boolean(), hasPrivateKey: z.boolean() })
/** The settings of a broker as people read them, and as they send them with secrets. */
export type Mqtt = z.output<typeof mqtt>
export type SentMqtt = z.output<typeof sentMqtt>

const url = z.string().trim().min(1).max(projectLimits.urlMax)
const settings = {
  name: shortText(1, projectLimits.destinationNameMax),
  type: z.enum(destinationTypes),
  url,
  format: z.enum(rowFormats).default('json'),
  ndjson: z.boolean().default(false).describe('Lines of JSON instead of one JSON array'),
  gzip: z.boolean().default(false),
  lanes: z.int().min(1).max(projectLimits.lanesMax).default(1),
  rowsMax: z
    .int()
    .min(1)
    .max(projectLimits.requestRows)
    .default(projectLimits.requestRows)
    .describe('Rows in one request'),
  rows: z.boolean().default(true).describe('False: only events'),
  events: z.array(z.enum(projectEvents)).max(projectEvents.length).default([]),
  mqtt: sentMqtt.optional(),
}

const destination = z.object({
  targetId: id,
  name: z.string(),
  type: z.enum(destinationTypes),
  url: z.string(),
  format: z.enum(rowFormats),
  ndjson: z.boolean(),
  gzip: z.boolean(),
  lanes: z.int(),
  rowsMax: z.int(),
  rows: z.boolean(),
  events: z.array(z.enum(projectEvents)),
  mqtt: mqtt.optional(),
  state: z.enum(destinationStates),
  switchedOff: z.enum(switchOffReasons).nullable(),
  failingSince: instant.nullable(),
  fault: z.enum(destinationFaults).nullable(),
  status: z.int().nullable().describe('The HTTP status of the last answer, or a broker’s reason code'),
  nextTryAt: instant.nullable(),
  lastOkAt: instant.nullable(),
  lagRows: z.int(),
  lagMs: z.int(),
  gaps: z.int().describe('Spans that a replay could send'),
  gap: z
    .object({ from: instant, to: instant })
    .optional()
    .describe('The time in which they are; left out where there are none'),
  secrets: z.array(z.object({ createdAt: instant, endsAt: instant.nullable() })),
})
export type Destination = z.output<typeof destination>

export const listDestinations = route({
  method: 'GET',
  path: '/api/project/v1/targets',
  who: { prj: 'member', project: 'id' },
  title: { cn: '项目的数据去向', en: 'List the destinations of a project' },
  request: z.object({ id }),
  answer: z.array(destination),
  errors: [],
})

const saved = [
  'DESTINATION_ADDRESS',
  'DESTINATION_PLAIN',
  'DESTINATION_TOPIC',
  'DESTINATION_CERTIFICATE',
  'DESTINATION_TAKEN',
] as const

export const createDestination = route({
  method: 'POST',
  path: '/api/project/v1/targets',
  who: { prj: 'owner', project: 'id' },
  limits: ['destinationTests'],
  title: { cn: '添加数据去向', en: 'Add a destination' },
  request: z.object({ id, ...settings }),
  answer: z.object({
    targetId: id,
    secret: z.string().nullable(),
  }),
  errors: [...saved, 'DESTINATIONS_FULL'],
})

export const updateDestination = route({
  method: 'PUT',
  path: '/api/project/v1/targets/:id',
  who: { prj: 'owner', destination: 'id' },
  limits: ['destinationTests'],
  title: { cn: '修改数据去向', en: 'Change a destination' },
  request: z.object({ id, ...settings, state: z.enum(['on', 'off']).optional() }),
  answer: nothing,
  errors: [...saved, 'DESTINATION_TYPE', 'DESTINATION_PASSWORD'],
})

export const deleteDestination = route({
  method: 'DELETE',
  path: '/api/project/v1/targets/:id',
  who: { prj: 'owner', destination: 'id' },
  title: { cn: '删除数据去向', en: 'Delete a destination' },
  request: z.object({ id }),
  answer: nothing,
  errors: [],
})

export const resetDestinationSecret = route({
  method: 'POST',
  path: '/api/project/v1/targets/:id/secret',
  who: { prj: 'owner', destination: 'id' },
  title: { cn: '更换签名密钥', en: 'Change the secret of a destination' },
  request: z.object({ id }),
  answer: z.object({ secret: z.string().describe('Shown once') }),
  errors: ['DESTINATION_TYPE'],
})

/** Sends one row to the destination; it is not counted. */
export const testDestination = route({
  method: 'POST',
  path: '/api/project/v1/targets/:id/test',
  who: { prj: 'owner', destination: 'id' },
  limits: ['destinationTests'],
  title: { cn: '测试数据去向', en: 'Test a destination' },
  request: z.object({ id }),
  answer: z.object({
    ok: z.boolean(),
    isExample: z.boolean().describe('No device of the project has sent a row yet: the row is made up'),
    request: z.string().describe('As it was sent, byte by byte'),
    response: z.string().describe('As it came, at most 64 kB'),
    status: z.int().nullable(),
    fault: z.enum(destinationFaults).nullable(),
    detail: z.string().describe('The words of the connection, where there are any'),
    address: z.string().nullable(),
    certificate: z
      .object({ subject: z.string(), issuer: z.string(), validTo: instant, fingerprint: z.string() })
      .nullable(),
    ms: z.int(),
    lookupMs: z.int().nullable(),
    connectMs: z.int().nullable(),
    tlsMs: z.int().nullable(),
    signInMs: z.int().nullable(),
    answerMs: z.int().nullable(),
  }),
  errors: [],
})

export const deliveryStates = ['ok', 'failed', 'dead', 'resent'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const delivery = z.object({
  id,
  at: instant,
  targetId: id,
  target: z.string(),
  requests: z
    .int()
    .optional()
    .describe('Requests that succeeded within seconds of one another, in one row; left out: one'),
  rows: z.int(),
  bytes: z.int(),
  status: z.enum(deliveryStates),
  httpStatus: z.int().nullable(),
  attempts: z.int(),
  ms: z.int().nullable(),
  error: z.enum(destinationFaults).optional(),
})
export type Delivery = z.output<typeof delivery>

export const listDeliveries = route({
  method: 'GET',
  path: '/api/project/v1/deliveries',
  who: { prj: 'member', project: 'id' },
  title: { cn: '投递记录', en: 'List the deliveries of a project' },
  request: z.object({
    id,
    targetId: id.optional(),
    state: z.enum(deliveryStates).optional(),
    page,
    pageSize: pageSize(50, 500),
  }),
  answer: paged(delivery),
  errors: [],
})

/** The request and the answer of a dead letter; of others the answer only. */
export const getDelivery = route({
  method: 'GET',
  path: '/api/project/v1/deliveries/:id',
  who: { prj: 'member', delivery: 'id' },
  title: { cn: '投递详情', en: 'Get a delivery' },
  request: z.object({ id }),
  answer: delivery.extend({ request: z.string(), response: z.string() }),
  errors: [],
})

export const resendDelivery = route({
  method: 'POST',
  path: '/api/project/v1/deliveries/:id/resend',
  who: { prj: 'owner', delivery: 'id' },
  limits: ['destinationTests'],
  title: { cn: '重新投递', en: 'Send a dead letter again' },
  request: z.object({ id }),
  answer: nothing,
  errors: [
    'DELIVERY_NOT_DEAD',
    'DELIVERY_SENDING',
    'DELIVERY_EMPTY',
    'DESTINATION_OFF',
    'PROJECT_NOT_REPORTING',
    'QUOTA_OVER',
  ],
})

/** Rows of history to one destination; they count. */
export const startReplay = route({
  method: 'POST',
  path: '/api/project/v1/replay',
  who: { prj: 'owner', project: 'id' },
  limits: ['destinationTests'],
  title: { cn: '补发历史数据', en: 'Send rows of the past again' },
  request: z.object({ id, targetId: id, from: instant, to: instant }),
  answer: z.object({ jobId: z.string() }),
  errors: ['404', 'REPLAY_SPAN', 'REPLAY_RUNNING'],
})
