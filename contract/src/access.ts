import { z } from 'zod'
import { leavingMark, requestForPerson } from './account-fields.ts'
import { id, instant, machineCode, machineName, nothing, terminalId, timeZone } from './fields.ts'
import { limits } from './limits.ts'
import { photoUrl } from './machine-types.ts'
import { route } from './route.ts'
import { adapters, textEncodings } from './telemetry.ts'

/**
 * Visit time on the wire: -1 forever, 0 over, otherwise the epoch milliseconds of its end (rules/access.md: visit
 * time).
 */
export const visitTimes = { forever: -1, over: 0 } as const

/** The mode of a visit: watch, or also change. */
export const visitModes = ['ro', 'rw'] as const
export type VisitMode = (typeof visitModes)[number]

/** A Bkey or visitor, with the Akey if the row has one; by the names of `user/role/info`. */
export const roles = ['ordinary', 'visitor', 'bkey', 'akey', 'blacklisted'] as const
export type Role = (typeof roles)[number]

/** Minutes of a visit, or -1 for no expiry. */
const validTime = z.union([
  z.literal(visitTimes.forever),
  z.int().min(limits.visitMinutesMin).max(limits.visitMinutesMax),
])
/** The end of a visit, as an instant; -1 for no expiry. */
const visitTime = z.union([z.literal(visitTimes.forever), instant])

const page = { start: z.int().min(0).max(1_000_000).default(0) }

/** The lists of `admin/select`. */
export const infoTypes = { bkeys: 2, visitors: 3, blacklist: -1 } as const

const bkey = z.object({
  id,
  userId: id,
  name: z.string(),
  phone: z.string().describe('Masked'),
  email: z
    .string()
    .describe('Whole of a Bkey who asked for the key, or is an added friend either way; else masked'),
  limit_authority: z.literal(2),
  machine_id: id,
  check_type: z.int(),
  limitRead: z.int(),
  limitAlarm: z.int(),
  leaving: leavingMark,
})
const visitor = z.object({
  id,
  userId: id,
  name: z.string(),
  phone: z.string().describe('Masked: first 3 and last 4 digits kept'),
  email: z.string().describe('Masked'),
  visitTime: z.int().describe('-1 forever, 0 over, otherwise its end'),
  visitTimeId: id,
  limitRead: z.int(),
  limitAlarm: z.int(),
  mode: z.enum(visitModes),
  leaving: leavingMark,
})
const blacklisted = z.object({
  id: id.describe('The user’s id: an entry of the blacklist has no other'),
  userId: id,
  name: z.string(),
  phone: z.string().describe('Masked'),
  email: z.string().describe('Masked'),
  since: instant,
})
export type Bkey = z.output<typeof bkey>
export type Visitor = z.output<typeof visitor>
export type Blacklisted = z.output<typeof blacklisted>

export const listGrants = route({
  method: 'POST',
  path: '/api/admin/select',
  who: { right: 'bkey+', machine: 'machineID', admitsReadOnly: true },
  title: { cn: 'Bkey、访客与黑名单', en: 'List the Bkeys, visitors and blacklist of a device' },
  request: z.object({
    machineID: id,
    infoType: z.union([
      z.literal(infoTypes.bkeys),
      z.literal(infoTypes.visitors),
      z.literal(infoTypes.blacklist),
    ]),
    ...page,
    pageSize: z.int().min(1).max(500).optional().describe('500 for Bkeys, 300 for the others'),
  }),
  answer: z.union([
    z.object({ list: z.array(bkey), total: z.int() }),
    z.object({ list: z.array(visitor), total: z.int() }),
    z.object({ list: z.array(blacklisted), total: z.int() }),
  ]),
  errors: [],
})

export const addBkey = route({
  method: 'POST',
  path: '/api/admin/push',
  who: { right: 'bkey+', machine: 'machineID', admitsReadOnly: true },
  limits: ['asks'],
  title: { cn: '添加 Bkey', en: 'Add a Bkey' },
  request: requestForPerson({ machineID: id }),
  answer: z.object({
    userid: id,
    auditState: z.int().min(0).max(6).describe('5: is Bkey; 2: pending the Akey’s consent'),
    applyId: id.nullable(),
  }),
  errors: ['01010304', '01010305', '01010306', '01010307', 'PERSON_BLACKLISTED', 'BIND_TOO_OFTEN'],
})

/** Lets a person in as a visitor without an application. */
export const addVisitor = route({
  method: 'POST',
  path: '/api/v1/machine/visitors',
  who: { right: 'bkey+', machine: 'machineID', admitsReadOnly: true },
  limits: ['asks'],
  title: { cn: '添加访客', en: 'Add a visitor' },
  request: requestForPerson({
    machineID: id,
    validTime: validTime.describe('Minutes from now, at least 10; -1 forever'),
    mode: z.enum(visitModes).default('ro'),
  }),
  answer: z.object({ userid: id, visitTimeId: id, visitTime: z.int() }),
  errors: ['01010304', '01010305', '01010307', 'PERSON_BLACKLISTED', 'GIVER_READ_ONLY', 'GIVER_ENDS_EARLIER'],
})

export const updateLevel = route({
  method: 'POST',
  path: '/api/admin/updateLevel',
  who: { right: 'bkey+', grant: 'id', admitsReadOnly: true },
  title: { cn: '升为或取消 Bkey', en: 'Promote a visitor to Bkey, or demote a Bkey' },
  request: z.object({ id, limit: z.union([z.literal(0), z.literal(2)]), terminalID: terminalId.optional() }),
  answer: z.object({
    auditState: z.int().min(0).max(6).describe('5: done; 2: pending the Akey’s consent'),
  }),
  errors: ['01010306', '01010307', 'BIND_TOO_OFTEN'],
})

export const endVisitTime = route({
  method: 'POST',
  path: '/api/admin/zeroVisitTime',
  who: { right: 'bkey+', grant: 'visitAlidTimeID', admitsReadOnly: true },
  title: { cn: '结束访问时间', en: 'End a visit time' },
  request: z.object({ visitAlidTimeID: id, machineID: id }),
  answer: nothing,
  errors: ['01010408'],
})

export const setVisitTime = route({
  method: 'PUT',
  path: '/api/device/v1/visit/time',
  who: { right: 'bkey+', grant: 'visitTimeId', admitsReadOnly: true },
  title: { cn: '设置访问时间', en: 'Set a visit time' },
  request: z.object({ visitTimeId: id, visitTime }),
  answer: nothing,
  errors: ['GIVER_READ_ONLY', 'GIVER_WITHOUT_ALARMS', 'GIVER_ENDS_EARLIER'],
})

/** The grant stays and is over; one that is over already stays as it is. */
export const clearVisitTime = route({
  method: 'DELETE',
  path: '/api/device/v1/visit/time',
  who: { right: 'bkey+', grant: 'visitTimeId', admitsReadOnly: true },
  title: { cn: '结束访问时间（按授权）', en: 'Set a visit time to zero' },
  request: z.object({ visitTimeId: id }),
  answer: nothing,
  errors: [],
})

/** Takes the grant away: an ordinary user again. */
export const removeVisitor = route({
  method: 'DELETE',
  path: '/api/v1/machine/visitors',
  who: { right: 'bkey+', grant: 'visitTimeId', admitsReadOnly: true },
  title: { cn: '删除访客', en: 'Remove a visitor' },
  request: z.object({ visitTimeId: id }),
  answer: nothing,
  errors: [],
})

/** Puts a person on the machine's blacklist: every right to it except ownership ends. */
export const addToBlacklist = route({
  method: 'POST',
  path: '/api/device/v1/admin/blacklist',
  who: { right: 'bkey+', machine: 'deviceId', admitsReadOnly: true },
  title: { cn: '加入黑名单', en: 'Add a person to the blacklist' },
  request: z.object({ deviceId: id, userId: id }),
  answer: nothing,
  errors: ['01010304', '01010306'],
})

export const removeFromBlacklist = route({
  method: 'DELETE',
  path: '/api/device/v1/admin/blacklist',
  who: { right: 'bkey+', machine: 'deviceId' },
  title: { cn: '移出黑名单', en: 'Remove a person from the blacklist' },
  request: z.object({ deviceId: id, userId: id }),
  answer: nothing,
  errors: ['404', '01010306', 'GIVER_WITHOUT_ALARMS', 'GIVER_ENDS_EARLIER'],
})

export const setReadOnly = route({
  method: 'POST',
  path: '/api/machine/limitReadSet',
  who: { right: 'bkey+', machine: 'machineID', admitsReadOnly: true },
  title: { cn: '设置只读', en: 'Set a person’s read-only access' },
  request: z.object({ machineID: id, userID: id, limitRead: z.union([z.literal(0), z.literal(1)]) }),
  answer: nothing,
  errors: ['01010304', '01010306', 'GIVER_READ_ONLY', 'GIVER_ENDS_EARLIER'],
})

export const setAlarmBit = route({
  method: 'POST',
  path: '/api/machine/limitAlarmSet',
  who: { right: 'bkey+', machine: 'machineID', admitsReadOnly: true },
  title: { cn: '设置报警接收', en: 'Turn a person’s alarms on or off' },
  request: z.object({ machineID: id, userID: id, limitAlarm: z.union([z.literal(0), z.literal(1)]) }),
  answer: nothing,
  errors: ['01010304', '01010306', 'GIVER_READ_ONLY', 'GIVER_WITHOUT_ALARMS', 'GIVER_ENDS_EARLIER'],
})

export const setCloudService = route({
  method: 'POST',
  path: '/api/machine/machineCloudSwitchState',
  who: { right: 'akey', machine: 'machineID' },
  title: { cn: '云服务开关', en: 'Turn the cloud service on or off' },
  request: z.object({ machineID: id, state: z.boolean().optional().describe('Without it: only read') }),
  answer: z.object({ state: z.boolean() }),
  errors: [],
})

export const setMachinePassword = route({
  method: 'POST',
  path: '/api/v1/machine/setPassword',
  who: { right: 'akey', machine: 'machineID' },
  title: { cn: '设置设备密码', en: 'Set the device password' },
  request: z.object({
    machineID: id,
    password: z.string().min(limits.machinePasswordMin).max(limits.machinePasswordMax),
    oldPassword: z.string().min(1).max(limits.machinePasswordMax).optional(),
  }),
  answer: nothing,
  errors: ['505', 'PROOF_NEEDED', '04010114'],
})

export const resetSecret = route({
  method: 'POST',
  path: '/api/v1/machine/resetSecret',
  who: { right: 'akey', machine: 'machineID' },
  title: { cn: '更新设备密钥', en: 'Renew the device secret' },
  request: z.object({ machineID: id }),
  answer: z.object({ secret: z.string().describe('Shown once; the old one stops working immediately') }),
  errors: ['PROOF_NEEDED'],
})

export const updateMachineInfo = route({
  method: 'POST',
  path: '/api/cloudSet/updateMachineInfo',
  who: { right: 'bkey+', code: 'machineCode' },
  title: { cn: '修改设备信息', en: 'Change the default name, picture and approval mode' },
  request: z.object({
    machineCode,
    machineName: machineName.optional(),
    checkType: z.union([z.literal(0), z.literal(1)]).optional(),
    password: z
      .string()
      .min(1)
      .max(limits.machinePasswordMax)
      .optional()
      .describe('Needed to switch to password mode'),
    adapter: z
      .enum(['', ...adapters])
      .optional()
      .describe('How its messages are understood; empty: detected automatically'),
    timeZone: timeZone.optional().describe('IANA zone of the device’s clock, where it sends local times'),
    textEncoding: z.enum(textEncodings).optional(),
    otherTopics: z.boolean().optional(),
    projectImage: photoUrl.optional().describe('Uploaded with the purpose projectImage'),
  }),
  answer: nothing,
  errors: ['505', '04010114', 'PICTURE_UNKNOWN'],
})

/** The machine is drawn as its type again. */
export const resetImage = route({
  method: 'PUT',
  path: '/api/v1/devices/imageReset',
  who: { right: 'bkey+', machine: 'deviceId' },
  title: { cn: '恢复默认图片', en: 'Restore the default picture of a device' },
  request: z.object({ deviceId: id }),
  answer: nothing,
  errors: [],
})

/** The right that gives a person access to a machine; `member`: a member of its enterprise without a team. */
export const reachedBy = ['akey', 'bkey', 'visitor', 'team', 'member', 'maintenance', 'project'] as const

const reach = z.object({
  userId: id,
  name: z.string(),
  phone: z.string().describe('Masked'),
  email: z.string().describe('Masked'),
  by: z.enum(reachedBy),
  mode: z.enum(visitModes),
  until: z.int().describe('-1 forever, otherwise its end'),
})
export type Reach = z.output<typeof reach>

export const listReach = route({
  method: 'GET',
  path: '/api/v1/machine/:id/reach',
  who: { right: 'bkey+', machine: 'id' },
  title: { cn: '当前可进入的人员', en: 'List who can enter a device now' },
  request: z.object({ id }),
  answer: z.array(reach),
  errors: [],
})

export const getRole = route({
  method: 'GET',
  path: '/api/device/v1/user/role/info',
  who: 'user',
  limits: [{ rate: 'asks', countedBy: 'route' }],
  title: { cn: '我的角色', en: 'Get your role on a device' },
  request: z.object({ deviceId: id }),
  answer: z.object({
    role: z.enum(roles),
    limit_authority: z.int().min(0).max(3),
    readOnly: z.boolean(),
    alarm: z.boolean(),
    visitTime: z.int().describe('-1 forever, 0 over or none, otherwise its end'),
  }),
  errors: [],
})
