import { alarms, machines as contract } from '@busbar/contract'
import { chooseText } from '../../kernel/choose-text.ts'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import type { AlarmFacts } from './alarm-facts.ts'
import { confirmAlarms } from './alarms-store.ts'
import { listAlarms } from './alarms-views.ts'

export interface AlarmsDeps {
  readonly db: Database
  readonly facts: AlarmFacts
}

/** A machine's alarms, and their confirmation. */
export function alarmsRoutes({ db, facts }: AlarmsDeps): Binding[] {
  return [
    bind(contract.listMachineAlarms, async ({ machineID, start, pageSize }, { lang }) => {
      const { rows, total } = await listAlarms(db, machineID, { start, count: pageSize })
      const list = rows.map((row) => ({
        id: row.id,
        level: row.level as contract.AlarmLevel,
        text: chooseText(row.text, lang),
        created_at: row.raised_at.getTime(),
        clearedAt: row.cleared_at?.getTime() ?? null,
        confirmedAt: row.confirmed_at?.getTime() ?? null,
      }))
      return { list, total }
    }),

    bind(contract.confirmAlarms, async ({ machineID, alarmIds }, { user, now }) => {
      const changes = await withTransaction(db, async (trx) => {
        const named = { machineId: machineID, ids: alarmIds }
        const confirmed = await confirmAlarms(trx, named, {
          who: { userId: user.userId },
          at: new Date(now),
        })
        await facts.recordAll(trx, confirmed)
        return confirmed
      })
      return { confirmed: changes.length }
    }),

    bind(alarms.confirmAlarms, async ({ ids, repeats, note }, { user, now }) => {
      const by = { who: { userId: user.userId }, at: new Date(now), note }
      const changes = await withTransaction(db, async (trx) => {
        const confirmed = await confirmAlarms(trx, { ids, repeats }, by)
        await facts.recordAll(trx, confirmed)
        return confirmed
      })
      return { confirmed: changes.length }
    }),
  ]
}
