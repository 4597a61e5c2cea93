import { z } from 'zod'
import { alarmLimits } from './alarm-limits.ts'
import { eidOrPersonal, id, instant, nothing, page, paged, pageSize } from './fields.ts'
import { alarmLevels } from './machines.ts'
import { notificationStates, notificationReason as reason } from './notification-states.ts'
import { route } from './route.ts'

export * from './alarm-told.ts'
export * from './alarm-ways.ts'
export * from './notification-states.ts'

const flag = z.union([z.literal(0), z.literal(1)])
const daily = z.int().min(0).max(alarmLimits.alarmMessagesDailyMax)

/** A time of day at which quiet hours begin or end, `22:30`; empty: none. */
const timeOfDay = z.union([z.literal(''), z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)])

const userConfig = z.object({
  userSmsFlag: flag,
  userEmailFlag: flag,
  userSmsDailyAmount: z.int(),
  machineSmsDailyAmount: z.int(),
  eid: id.nullable(),
  stock: z.int(),
  hadStock: z.boolean(),
  usedToday: z.int(),
  quietFrom: timeOfDay,
  quietTo: timeOfDay,
  voice: flag,
  browser: flag,
  signature: z.string().describe('The signature that SMS to the caller carry, which counts in their price'),
})
export type UserMsgConfig = z.output<typeof userConfig>

/** The caller's settings of notifications about alarms. */
export const getUserMsgConfig = route({
  method: 'GET',
  path: '/api/v1/alarm/userMsgConfig',
  who: 'user',
  title: { cn: '个人报警通知设置', en: 'Get your alarm notification settings' },
  request: z.object({ eid: eidOrPersonal }),
  answer: userConfig,
  errors: ['403'],
})

function checkQuietHours({
  value: { quietFrom, quietTo },
  issues,
}: z.core.ParsePayload<{ quietFrom?: string | undefined; quietTo?: string | undefined }>): void {
  const isWhole =
    (quietFrom === undefined) === (quietTo === undefined) && (quietFrom === '') === (quietTo === '')
  if (isWhole && (!quietFrom || quietFrom !== quietTo)) return
  // The one that is alone, is empty beside a time, or is the same.
  const isFrom = quietTo === undefined || (quietFrom === '' && quietTo !== '')
  const path = [isFrom ? 'quietFrom' : 'quietTo']
  issues.push({ code: 'custom', message: 'quietFrom and quietTo', path, input: undefined })
}

export const setUserMsgConfig = route({
  method: 'POST',
  path: '/api/v1/alarm/setUserMsgConfig',
  who: 'user',
  title: { cn: '修改个人报警通知设置', en: 'Change your alarm notification settings' },
  request: z
    .object({
      eid: eidOrPersonal,
      userSmsFlag: flag.optional(),
      userEmailFlag: flag.optional(),
      userSmsDailyAmount: daily.optional(),
      machineSmsDailyAmount: daily.optional(),
      quietFrom: timeOfDay.optional(),
      quietTo: timeOfDay.optional(),
      voice: flag.optional(),
      browser: flag.optional(),
    })
    .check(checkQuietHours),
  answer: userConfig,
  errors: ['403'],
})

const enterpriseConfig = z.object({
  smsFlag: flag,
  emailFlag: flag,
  smsDailyAmount: z.int(),
  smsMachineDailyAmount: z.int(),
  stock: z.int(),
  hadStock: z.boolean(),
  usedToday: z.int(),
  quietFrom: timeOfDay,
  quietTo: timeOfDay,
})
export type EnterpriseMsgConfig = z.output<typeof enterpriseConfig>

/** The settings of notifications about the alarms of an enterprise's devices. */
export const getEnterpriseMsgConfig = route({
  method: 'GET',
  path: '/api/msg/v1/ent/userMessage/info',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '企业报警通知设置', en: 'Get an enterprise’s alarm notification settings' },
  request: z.object({ eid: id }),
  answer: enterpriseConfig,
  errors: [],
})

export const setEnterpriseMsgConfig = route({
  method: 'PUT',
  path: '/api/msg/v1/ent/userMessage',
  who: { ent: 'sms', eid: 'eid' },
  title: { cn: '修改企业报警通知设置', en: 'Change an enterprise’s alarm notification settings' },
  request: z
    .object({
      eid: id,
      smsFlag: flag.optional(),
      emailFlag: flag.optional(),
      smsDailyAmount: daily.optional(),
      smsMachineDailyAmount: daily.optional(),
      quietFrom: timeOfDay.optional(),
      quietTo: timeOfDay.optional(),
    })
    .check(checkQuietHours),
  answer: enterpriseConfig,
  errors: [],
})

const machineConfig = z.object({
  machineId: id,
  machineName: z.string(),
  machineCode: z.string(),
  smsFlag: flag,
  emailFlag: flag,
  linkFlag: flag,
  maySet: z.boolean(),
  recipients: z.int().describe('People and contacts who are told by SMS or e-mail'),
  sharedAccounts: z
    .array(
      z.object({
        userId: id,
        name: z.string(),
        accountMasked: z.string(),
        role: z.enum(['akey', 'bkey', 'visitor', 'member', 'maintainer']),
        told: z.boolean().describe('Notified by SMS and e-mail; of visitors only the selected ones'),
      }),
    )
    .describe('Everyone who gets the alarms of the device'),
})
export type MachineMsgConfig = z.output<typeof machineConfig>

const machineFilter = {
  blur: z.string().trim().max(alarmLimits.alarmSearchMax).optional(),
  groupId: id.optional(),
  page,
  pageSize: pageSize(20, 200),
}

/** The machines of which the caller is a key. */
export const listPersonalMachine = route({
  method: 'GET',
  path: '/api/msg/v1/ent/alarm/listPersonalMachine',
  who: 'user',
  load: 'list',
  title: { cn: '个人设备的短信与邮件设置', en: 'List the SMS and e-mail settings of your devices' },
  request: z.object({ eid: eidOrPersonal, ...machineFilter }),
  answer: paged(machineConfig),
  errors: [],
})

/** The machines that an enterprise owns. */
export const listEnterpriseMachine = route({
  method: 'GET',
  path: '/api/msg/v1/ent/alarm/listMachine',
  who: { ent: 'member', eid: 'eid' },
  load: 'list',
  title: {
    cn: '企业设备的短信与邮件设置',
    en: 'List the SMS and e-mail settings of an enterprise’s devices',
  },
  request: z.object({ eid: id, ...machineFilter }),
  answer: paged(machineConfig),
  errors: [],
})

const machineIds = z.array(id).min(1).max(alarmLimits.alarmSettingMachinesMax)

export const setEnterpriseMachineSmsFlag = route({
  method: 'PUT',
  path: '/api/msg/v1/ent/alarm/setMachineSmsFlag',
  who: { ent: 'sms', eid: 'eid', machine: 'machineIds' },
  title: { cn: '企业设备开关短信与邮件', en: 'Turn SMS and e-mails of an enterprise’s devices on or off' },
  request: z.object({
    eid: id,
    machineIds,
    smsFlag: flag.optional(),
    emailFlag: flag.optional(),
    linkFlag: flag.optional(),
  }),
  answer: nothing,
  errors: [],
})

export const setMachineSmsFlag = route({
  method: 'POST',
  path: '/api/v1/alarm/setMachineSmsFlag',
  who: { right: 'bkey+', machines: 'machineIds' },
  title: { cn: '设备开关短信与邮件', en: 'Turn SMS and e-mails of devices on or off' },
  request: z.object({
    machineIds,
    smsFlag: flag.optional(),
    emailFlag: flag.optional(),
    linkFlag: flag.optional(),
    userIds: z
      .array(id)
      .max(alarmLimits.alarmVisitorsMax)
      .optional()
      .describe(
        'Visitors who are notified by SMS and e-mail as well, for each of the devices; only an Akey selects them',
      ),
  }),
  answer: nothing,
  errors: ['403'],
})

/** The states of the send record: these reasons for not sending replace the state. */
export const sendRecordStates = [...notificationStates, 'limited', 'noStock'] as const
export type SendRecordState = (typeof sendRecordStates)[number]

const sendRecord = {
  createTime: instant,
  machine: z.string(),
  machineId: id,
  alarmId: id,
  level: z.enum(alarmLevels),
  state: z.enum(sendRecordStates),
  reason,
  digestCount: z.int().describe('Alarms that went in the same message; 1: it went alone'),
  settledAt: instant.nullable(),
}

const smsRecord = z.object({
  ...sendRecord,
  phoneMasked: z.string(),
  name: z.string(),
  text: z.string(),
  segments: z.int(),
})
export type SmsRecord = z.output<typeof smsRecord>

const emailRecord = z.object({
  ...sendRecord,
  emailMasked: z.string(),
  name: z.string(),
  subject: z.string(),
})
export type EmailRecord = z.output<typeof emailRecord>

const sought = {
  page,
  pageSize: pageSize(10, 200),
  state: z.enum(sendRecordStates).optional(),
  startTime: instant.optional(),
  endTime: instant.optional(),
}
const records = <T extends z.ZodType>(row: T) =>
  paged(row).extend({
    isCut: z.boolean().describe('There are more than total: pages end there, filters reach the rest'),
  })

/** To the caller, and to others about machines of which the caller is the Akey. */
export const listSmsRecords = route({
  method: 'POST',
  path: '/api/msg/v1/alarm/sms/page',
  who: 'user',
  load: 'list',
  title: { cn: '短信发送记录', en: 'List the SMS sent about your alarms' },
  request: z.object({ ...sought, userId: id.optional() }),
  answer: records(smsRecord),
  errors: [],
})

export const listEnterpriseSmsRecords = route({
  method: 'GET',
  path: '/api/msg/v1/ent/alarm/smsLoggerPage',
  who: { ent: 'member', eid: 'eid' },
  load: 'list',
  title: { cn: '企业短信发送记录', en: 'List the SMS sent about an enterprise’s alarms' },
  request: z.object({ eid: id, ...sought, userId: id.optional() }),
  answer: records(smsRecord),
  errors: [],
})

export const listEmailRecords = route({
  method: 'POST',
  path: '/api/msg/v1/alarm/email/page',
  who: 'user',
  load: 'list',
  title: { cn: '邮件发送记录', en: 'List the e-mails sent about your alarms' },
  request: z.object(sought),
  answer: records(emailRecord),
  errors: [],
})

export const listEnterpriseEmailRecords = route({
  method: 'GET',
  path: '/api/msg/v1/ent/alarm/emailLoggerPage',
  who: { ent: 'member', eid: 'eid' },
  load: 'list',
  title: { cn: '企业邮件发送记录', en: 'List the e-mails sent about an enterprise’s alarms' },
  request: z.object({ eid: id, ...sought }),
  answer: records(emailRecord),
  errors: [],
})
