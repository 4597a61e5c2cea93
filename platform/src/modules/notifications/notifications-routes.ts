import { notifications as contract } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { TagSource } from '../alarms/index.ts'
import { listEmails, listSms } from './records-service.ts'
import * as settings from './settings-service.ts'
import { saveChosenVisitors, saveMachineSettings } from './settings-store.ts'
import { countTold, listTold } from './told-service.ts'
import { listWays, testWays, type WaysDeps } from './ways-service.ts'

export interface NotificationsDeps extends settings.SettingsDeps, WaysDeps {
  readonly lists: Database
  readonly tags: TagSource
}

const askerOf = (context: {
  readonly user: { readonly userId: number }
  readonly lang: settings.Asker['lang']
  readonly now: number
}): settings.Asker => ({ userId: context.user.userId, lang: context.lang, now: context.now })

type Flag = 0 | 1 | undefined
const isOn = (flag: Flag) => (flag === undefined ? undefined : flag === 1)
const switchesOf = (flags: { smsFlag?: Flag; emailFlag?: Flag; linkFlag?: Flag }) => ({
  sms: isOn(flags.smsFlag),
  email: isOn(flags.emailFlag),
  linkInSms: isOn(flags.linkFlag),
})

/** Settings of notifications about alarms, and the record of sent messages. */
export function notificationsRoutes(deps: NotificationsDeps): Binding[] {
  const { db, access } = deps
  return [
    bind(contract.getUserMsgConfig, ({ eid }, context) =>
      settings.getPersonConfig(deps, askerOf(context), eid),
    ),
    bind(contract.setUserMsgConfig, (input, context) =>
      settings.setPersonConfig(deps, askerOf(context), input),
    ),
    bind(contract.getAlarmWays, ({ eid }, context) => listWays(deps, askerOf(context), eid)),
    bind(contract.testAlarmWays, ({ eid }, context) => testWays(deps, askerOf(context), eid)),
    bind(contract.getEnterpriseMsgConfig, ({ eid }, { now }) => settings.getSpaceConfig(db, eid, now)),
    bind(contract.setEnterpriseMsgConfig, (input, { now }) => settings.setSpaceConfig(db, input, now)),

    bind(contract.listPersonalMachine, (input, context) =>
      settings.listPersonalMachines(deps, askerOf(context), input),
    ),
    bind(contract.listEnterpriseMachine, (input, context) =>
      settings.listSpaceMachines(deps, askerOf(context), input),
    ),
    bind(contract.setEnterpriseMachineSmsFlag, async ({ machineIds, ...flags }) => {
      await saveMachineSettings(db, machineIds, switchesOf(flags))
      return {}
    }),
    bind(contract.setMachineSmsFlag, async ({ machineIds, userIds, ...flags }, context) => {
      const { user, now } = context
      if (userIds !== undefined && !(await access.has(user.userId, 'akey', machineIds, now)))
        throw new Failure('403')
      await withTransaction(db, async (trx) => {
        await saveMachineSettings(trx, machineIds, switchesOf(flags))
        if (userIds !== undefined) await saveChosenVisitors(trx, machineIds, userIds)
      })
      return {}
    }),

    bind(contract.listSmsRecords, ({ userId, state, startTime, endTime, ...paging }, { user, lang }) =>
      listSms(
        deps,
        { userId: user.userId, toUserId: userId, state, from: startTime, until: endTime },
        lang,
        paging,
      ),
    ),
    bind(contract.listEnterpriseSmsRecords, (input, { user, lang }) => {
      const { eid, userId, state, startTime, endTime, ...paging } = input
      const request = { userId: user.userId, eid, toUserId: userId, state, from: startTime, until: endTime }
      return listSms(deps, request, lang, paging)
    }),
    bind(contract.listEmailRecords, ({ state, startTime, endTime, ...paging }, { user, lang }) =>
      listEmails(deps, { userId: user.userId, state, from: startTime, until: endTime }, lang, paging),
    ),
    bind(
      contract.listEnterpriseEmailRecords,
      ({ eid, state, startTime, endTime, ...paging }, { user, lang }) =>
        listEmails(deps, { userId: user.userId, eid, state, from: startTime, until: endTime }, lang, paging),
    ),
    bind(contract.listTold, ({ alarmId, ...paging }, { user, lang, now }) =>
      listTold(deps, { userId: user.userId, lang, now }, alarmId, paging),
    ),
    bind(contract.countTold, ({ alarmIds }) => countTold(deps, alarmIds)),
  ]
}
