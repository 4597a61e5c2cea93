import { notifications } from '@busbar/contract'
import { call } from '../../../shared/api/client.ts'
import type { UserMsgConfig } from '../notification-queries.ts'

/** The settings of a space; the calls of a person and of an enterprise name them differently. */
export interface SpaceFields {
  readonly sms: boolean
  readonly email: boolean
  readonly daily: number
  readonly machineDaily: number
  readonly quietFrom: string
  readonly quietTo: string
}

export interface SpaceConfig extends SpaceFields {
  readonly isEnterprise: boolean
  readonly usedToday: number
  readonly save: (change: Partial<SpaceFields>) => Promise<unknown>
}

const toFlag = (isOn: boolean) => (isOn ? 1 : 0) as 0 | 1
const rename = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>

export function ofPerson(config: UserMsgConfig): SpaceConfig {
  return {
    isEnterprise: false,
    sms: config.userSmsFlag === 1,
    email: config.userEmailFlag === 1,
    daily: config.userSmsDailyAmount,
    machineDaily: config.machineSmsDailyAmount,
    quietFrom: config.quietFrom,
    quietTo: config.quietTo,
    usedToday: config.usedToday,
    save: ({ sms, email, daily, machineDaily, quietFrom, quietTo }) =>
      call(
        notifications.setUserMsgConfig,
        rename({
          userSmsFlag: sms === undefined ? undefined : toFlag(sms),
          userEmailFlag: email === undefined ? undefined : toFlag(email),
          userSmsDailyAmount: daily,
          machineSmsDailyAmount: machineDaily,
          quietFrom,
          quietTo,
        }),
      ),
  }
}

export function ofEnterprise(config: notifications.EnterpriseMsgConfig, eid: number): SpaceConfig {
  return {
    isEnterprise: true,
    sms: config.smsFlag === 1,
    email: config.emailFlag === 1,
    daily: config.smsDailyAmount,
    machineDaily: config.smsMachineDailyAmount,
    quietFrom: config.quietFrom,
    quietTo: config.quietTo,
    usedToday: config.usedToday,
    save: ({ sms, email, daily, machineDaily, quietFrom, quietTo }) =>
      call(notifications.setEnterpriseMsgConfig, {
        eid,
        ...rename({
          smsFlag: sms === undefined ? undefined : toFlag(sms),
          emailFlag: email === undefined ? undefined : toFlag(email),
          smsDailyAmount: daily,
          smsMachineDailyAmount: machineDaily,
          quietFrom,
          quietTo,
        }),
      }),
  }
}
