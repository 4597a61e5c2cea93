import { z } from 'zod'
import { roles } from './access.ts'
import { requestForReceiver } from './account-fields.ts'
import { applicationKinds } from './applications.ts'
import { operationStates } from './console-states.ts'
import {
  groupOrAll,
  id,
  instant,
  machineCode,
  machineName,
  machineNameText,
  nothing,
  page,
  paged,
  pageSize,
  placeFields,
  remarkText,
  terminalId,
} from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'
import { adapters, qualities, tagValue, textEncodings } from './telemetry.ts'

export { operationStates } from './console-states.ts'

/** The caller's level at a machine. */
export const limitAuthority = { ordinary: 0, visitor: 1, bkey: 2, akey: 3 } as const
/** The approval of applications: by both keys, or by the Akey or the machine's password. */
export const checkTypes = { akeyAndBkey: 0, akeyAndPassword: 1 } as const
/** An hour of the 24-hour strip: nothing known, connected throughout, partly away, away or in fault. */
export const stripStates = { unknown: 0, fine: 1, gap: 2, fault: 3 } as const

export const alarmLevels = ['critical', 'major', 'minor', 'info'] as const
export type AlarmLevel = (typeof alarmLevels)[number]

/** The values of a machine in a list. */
export const machineOverview = z.object({
  keyTag: z
    .object({
      tagId: id,
      name: z.string(),
      value: tagValue,
      unit: z.string(),
      scale: z.int().nullable(),
      quality: z.enum(qualities),
      time: instant.nullable(),
    })
    .nullable(),
  spark: z.array(z.number().nullable()).length(24).describe('The last hour of the key value, oldest first'),
  strip24h: z
    .array(z.int().min(0).max(3))
    .length(24)
    .describe('0 unknown, 1 fine, 2 gap, 3 fault; oldest first'),
})

const machineItem = z.object({
  machine_id: id,
  machine_name: z.string(),
  machine_code: machineCode,
  machine_remark: z.string(),
  machine_type: z.string(),
  model: z.string(),
  check_type: z.int(),
  state: z.literal(operationStates.idle),
  online: z.boolean(),
  lastSeen: instant.nullable(),
  cloud_service: z.boolean(),
  limit_authority: z.int().min(0).max(3),
  groups: z.array(z.object({ id, name: z.string() })),
  ...placeFields,
  address: z.string(),
  location_type: z.int(),
  location_way: z.int().nullable(),
  project_image: z.string(),
  ezviz_account_id: id.nullable(),
  emq_project_id: id.nullable(),
  unconfirmedAlarms: z.int(),
  openAlarms: z.int(),
  worstAlarm: z.enum(alarmLevels).nullable().describe('Worst level among open alarms'),
  overview: machineOverview.nullable().describe('Null where the caller may not see values'),
  role: z.enum(roles),
  readOnly: z.boolean().describe('The caller is read-only'),
  visitTime: z.int().describe('-1 forever, 0 over or none, otherwise its end'),
  application: z
    .object({ applyId: id, kind: z.enum(applicationKinds), auditState: z.int().min(0).max(6) })
    .nullable()
    .describe('The caller’s own pending one'),
})
export type MachineItem = z.output<typeof machineItem>

export const listMachines = route({
  method: 'POST',
  path: '/api/machine/select',
  who: 'user',
  load: 'list',
  title: { cn: '个人设备列表', en: 'List your devices' },
  request: z.object({ terminalID: terminalId.default('api'), version: z.string().max(128).optional() }),
  answer: z.union([
    z.object({ version: z.string(), list: z.array(machineItem) }),
    z.object({ notModified: z.literal(true) }),
  ]),
  errors: [],
})

export const addMachine = route({
  method: 'POST',
  path: '/api/machine/add',
  who: 'user',
  limits: [{ rate: 'asks', coveredBy: 'machineCode' }],
  title: { cn: '添加设备', en: 'Add a device' },
  request: z.object({
    machineName,
    machineCode,
    machinePwd: z.string().min(1).max(limits.machinePasswordMax).optional(),
    machineGroupID: id.optional(),
  }),
  answer: z.object({ machineID: id, limit_authority: z.int(), state: z.literal(operationStates.idle) }),
  errors: ['04010112', '04010102', '04010113', '04010114', '04010115', '04010412', '505'],
})

/**
 * Takes a machine out of the caller's list, with all their rights to it; for its Akey also the ownership, which is
 * refused while others hold it. `isAkey` is the client's assumption; the server decides.
 */
export const removeMachine = route({
  method: 'POST',
  path: '/api/machine/del',
  who: 'user',
  title: { cn: '删除设备', en: 'Remove a device from your list' },
  request: z.object({ delMachineID: id, isAkey: z.boolean().optional() }),
  answer: z.object({ state: z.literal(operationStates.removed) }),
  errors: ['04010301', '040103010', '04010307'],
})

/** The caller's own name and remark for a machine; the code is compared, it never changes. */
export const updateMachine = route({
  method: 'POST',
  path: '/api/machine/update',
  who: { right: 'listed', machine: 'updateMachineID' },
  title: { cn: '编辑设备', en: 'Edit your name and remark for a device' },
  request: z.object({
    updateMachineID: id,
    updateMachineCode: machineCode,
    updateMachineName: machineNameText.optional(),
    updateMachineRemark: remarkText.optional(),
  }),
  answer: z.object({
    state: z
      .literal([operationStates.edited, operationStates.remarkUpdated])
      .describe('1 edited, 10 when only the remark changed'),
  }),
  errors: ['040104011', '04010406', '04010412'],
})

/** The answer to a person who scanned a machine's code, before they add it. */
export const checkScannedCode = route({
  method: 'POST',
  path: '/api/v1/cloudSet/scanCodeCheck',
  who: 'user',
  limits: [{ rate: 'asks', covers: 'machineCode' }],
  title: { cn: '检查扫描的机器码', en: 'Check a scanned code' },
  request: z.object({ machineCode, nonce: z.string().max(64).optional() }),
  answer: z.object({
    exists: z.boolean(),
    online: z.boolean(),
    model: z.string(),
    owner: z.enum(['none', 'person', 'enterprise']),
    checkType: z.int(),
    canBind: z.boolean().describe('Without an owner: its password makes the caller Akey'),
  }),
  errors: [],
})

/** Offers the machine to a person or an enterprise, who accept or refuse it (docs/decisions/0032-leaving-for-good.md). */
export const offerMachine = route({
  method: 'POST',
  path: '/api/v1/machine/transfer',
  who: { right: 'akey', machine: 'machineID' },
  limits: ['asks'],
  title: { cn: '转让设备', en: 'Offer a device to a person or an enterprise' },
  request: requestForReceiver({ machineID: id }),
  answer: z.object({ applyId: id }),
  errors: [
    '01010304',
    'ENTERPRISE_UNKNOWN',
    'TRANSFER_SELF',
    'TRANSFER_WAITING',
    'OWNER_ONLY',
    'PERSON_BLACKLISTED',
    'PROOF_NEEDED',
  ],
})

export const transferActions = ['accept', 'refuse', 'withdraw'] as const
export type TransferAction = (typeof transferActions)[number]

/**
 * Answers an offer, as the person named in it or with `ent:manage` of the enterprise named, or takes it back as its
 * maker.
 */
export const answerTransfer = route({
  method: 'PUT',
  path: '/api/v1/machine/transfer/:applyId',
  who: 'user',
  title: { cn: '答复转让', en: 'Accept, decline or withdraw a device transfer' },
  request: z.object({ applyId: id, action: z.enum(transferActions) }),
  answer: nothing,
  errors: ['TRANSFER_GONE', '04010115'],
})

const transfer = z.object({
  applyId: id,
  machineId: id,
  machineCode,
  machineName: z.string(),
  from: z.string(),
  to: z.string().describe('An enterprise is `#` with its id to those who don’t belong to it'),
  toEid: id.nullable().describe('The enterprise it is offered to; null: a person'),
  mine: z
    .boolean()
    .describe('Offered by the caller; otherwise to the caller, or to an enterprise they manage'),
  mayAnswer: z.boolean().describe('The caller may accept or refuse it'),
  createdAt: instant,
  expireAt: instant,
})
export type Transfer = z.output<typeof transfer>

export const listTransfers = route({
  method: 'GET',
  path: '/api/v1/machine/transfers',
  who: 'user',
  title: {
    cn: '待确认的转让',
    en: 'List pending device transfers of you and your enterprises',
  },
  request: z.object({}),
  answer: z.array(transfer),
  errors: [],
})

export const confirmAlarms = route({
  method: 'POST',
  path: '/api/machine/confirmMacAlarm',
  who: { right: 'holder', machine: 'machineID' },
  title: { cn: '确认设备报警', en: 'Acknowledge the alarms of a device' },
  request: z.object({ machineID: id, alarmIds: z.array(id).max(limits.listPageMax).optional() }),
  answer: z.object({ confirmed: z.int() }),
  errors: [],
})

export const listMachineAlarms = route({
  method: 'POST',
  path: '/api/admin/alarmMsgSelect',
  aliases: ['/api/device/v1/admin/alarmMsgSelect'],
  who: { right: 'bkey+', machine: 'machineID', admitsReadOnly: true },
  title: { cn: '设备的报警消息', en: 'List the alarms of a device' },
  request: z.object({
    machineID: id,
    start: z.int().min(0).max(1_000_000).default(0),
    pageSize: z.int().min(1).max(500).default(6),
  }),
  answer: z.object({
    list: z.array(
      z.object({
        id,
        level: z.enum(alarmLevels),
        text: z.string(),
        created_at: instant,
        clearedAt: instant.nullable(),
        confirmedAt: instant.nullable(),
      }),
    ),
    total: z.int(),
  }),
  errors: [],
})

/** General attributes of a device. */
export const generalAttributes = z.object({
  deviceId: id,
  machineCode,
  alias: z.string(),
  remark: z.string(),
  maintenanceRemark: z.string(),
  project: z.string(),
  group: z.string(),
  online: z.boolean(),
  cloudService: z.boolean(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  address: z.string(),
  checkType: z.int(),
})

export const getGeneralAttributes = route({
  method: 'GET',
  path: '/api/device/v1/detail',
  who: { right: 'holder', machine: 'deviceId' },
  title: { cn: '设备通用属性', en: 'Get the general attributes of a device' },
  request: z.object({ deviceId: id }),
  answer: generalAttributes,
  errors: [],
})

/**
 * Of the caller's list; ordinary users get name, code and online state only. The program `connect` needs id, name, code
 * and state of it: places and remarks come with them, because a further list would be one more to keep in step.
 */
export const listGeneralAttributes = route({
  method: 'POST',
  path: '/api/device/v1/detail/page',
  who: 'user',
  programs: ['connect'],
  load: 'list',
  title: { cn: '设备通用属性列表', en: 'List the general attributes of your devices' },
  request: z.object({
    page,
    pageSize: pageSize(20),
    groupId: groupOrAll,
    search: z.string().max(64).default(''),
    online: z.boolean().optional(),
  }),
  answer: paged(generalAttributes),
  errors: [],
})

const openAlarm = z.object({
  alarmId: id,
  key: z.string(),
  ruleId: id.nullable().describe('Null: the device raised it'),
  level: z.enum(alarmLevels),
  text: z.string(),
  raisedAt: instant,
  count: z.int(),
  confirmedAt: instant.nullable(),
  shelvedUntil: instant.nullable().describe('Null: it isn’t shelved'),
  outOfService: z.boolean(),
})

const connection = z.object({
  protocol: z.string().describe('Line and language, such as tcp/sparkplug'),
  address: z.string(),
  startedAt: instant,
  endedAt: instant.nullable(),
})

/** The offset of a machine's clock from the platform's. */
const machineClock = z.object({
  offsetMs: z.number().describe('Positive: the device is ahead'),
  at: instant.describe('When it was seen'),
  believed: z.boolean().describe('False: its live samples are stored at the time of arrival'),
})

/** The details of a machine that every list entry shows. */
const listedDetail = z.object({
  equid: id,
  equname: z.string(),
  machine_code: machineCode,
  machine_type: z.string(),
  online: z.boolean(),
  machine_limit: z.int().min(0).max(3),
})

const heldDetail = listedDetail.extend({
  machine_remark: z.string(),
  machine_shared_name: z
    .string()
    .describe('The name given by its keys; equname is the caller’s own name for it'),
  machine_rest_time: z.int().describe('The rest of the caller’s visit time in ms; -1 forever'),
  machine_valid_id: id.nullable(),
  machine_check_type: z.int(),
  machine_lng: z.number().nullable(),
  machine_lat: z.number().nullable(),
  machine_address: z.string(),
  machine_limit_read: z.int(),
  machine_limit_alarm: z.int(),
  handlesAlarms: z.boolean(),
  machine_group: z.array(z.object({ id, name: z.string() })),
  ezviz_account_id: id.nullable(),
  machine_location_type: z.int(),
  machine_location_way: z.int().nullable(),
  cloud_service: z.boolean(),
  model: z.string(),
  lastSeen: instant.nullable(),
  keyTagId: id.nullable(),
  strip24h: z.array(z.int().min(0).max(3)).length(24),
  attributes: z.record(z.string(), z.string()).describe('model, firmware, ip, network, signal … as sent'),
  connection: connection.nullable().describe('The one it has, or had last; null: never seen'),
  clock: machineClock.nullable().describe('Null: it sent no time yet'),
  adapter: z.enum(['', ...adapters]).describe('As fixed by its keys; empty: detected from its messages'),
  timeZone: z.string().describe('IANA zone of its clock, where it sends local times'),
  textEncoding: z.enum(textEncodings),
  otherTopics: z.boolean(),
  openAlarms: z.array(openAlarm),
})
/** A machine's details as everybody gets them but an ordinary user. */
export type HeldDetail = z.output<typeof heldDetail>

/** A machine for its edit form; an ordinary user gets name, code, type and online state only. */
export const getMachineDetail = route({
  method: 'POST',
  path: '/api/machine/detail',
  who: { right: 'listed', machine: 'machineID' },
  title: { cn: '设备详情', en: 'Get a device' },
  request: z.object({ machineID: id }),
  answer: z.union([heldDetail, listedDetail]).describe('The shorter one for an ordinary user'),
  errors: [],
})

const machineState = z.object({
  machineCode,
  online: z.boolean(),
  cloudService: z.boolean(),
  lastSeen: instant.nullable(),
  busy: z.boolean().describe('Someone is in control'),
})

export const getMachineState = route({
  method: 'POST',
  path: '/api/machine/getMachineState',
  who: 'user',
  limits: [{ rate: 'asks', countedBy: 'route' }],
  title: { cn: '设备状态', en: 'Get the state of a device' },
  request: z.object({ machineCode }),
  answer: machineState,
  errors: ['04010102'],
})

export const listMachineStatesByCode = route({
  method: 'POST',
  path: '/api/machine/machineStates',
  who: 'user',
  title: { cn: '批量设备状态（机器码）', en: 'Get device states by machine code' },
  request: z.object({ machineCodes: z.array(machineCode).max(limits.statesByCodePerCall) }),
  answer: z.array(machineState),
  errors: [],
})

export const listMachineStates = route({
  method: 'POST',
  path: '/api/machine/getMachineStates',
  who: 'user',
  title: { cn: '批量设备状态', en: 'Get device states' },
  request: z.object({ machineIDs: z.array(id).max(limits.statesPerCall) }),
  answer: z.array(machineState),
  errors: [],
})

export const setKeyTag = route({
  method: 'PUT',
  path: '/api/v1/machine/keyTag',
  who: { right: 'listed', machine: 'machineID' },
  title: { cn: '设置关键变量', en: 'Select the key value' },
  request: z.object({ machineID: id, tagId: id }),
  answer: nothing,
  errors: ['404'],
})

export * from './user-groups.ts'
