import type { Lang } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'
import { insertReport, nextReportAt, setRecipients } from '../modules/reports/index.ts'
import type { DemoPlant } from './demo-enterprise.ts'

const names: Readonly<Record<Lang, string>> = { cn: '注塑与供水日报', en: 'Moulding and water, daily' }

/** A report of each demo account, made once: every morning about the day before. */
export async function createDemoReport(trx: Transaction<DB>, plant: DemoPlant): Promise<void> {
  const { lang, ownerId, machineIds, madeAt } = plant
  const [press, pumps] = [machineIds.get('injection-press'), machineIds.get('booster-pumps')]
  const known = await trx
    .selectFrom('reports')
    .select('id')
    .where('user_id', '=', ownerId)
    .limit(1)
    .executeTakeFirst()
  if (known || press === undefined || pumps === undefined) return
  const { time_zone: ownZone } = await trx
    .selectFrom('users')
    .select('time_zone')
    .where('id', '=', ownerId)
    .executeTakeFirstOrThrow()
  // The demo's browser is on this computer, and shows times in its zone until the account names another one.
  const timeZone = ownZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  const schedule = { every: 'day', weekday: 1, monthDay: 1, hour: 7, timeZone } as const
  const ofPress = (group: string, tag: string) => ({ machineId: press, group, tag })
  const id = await insertReport(
    trx,
    { userId: ownerId },
    {
      ...{ name: names[lang], schedule, lang, formats: ['pdf', 'xlsx'] },
      content: {
        machineIds: [press, pumps],
        tags: [
          ofPress('Mould', 'mould_temp'),
          ofPress('Hydraulics', 'pressure'),
          ofPress('Cycle', 'phase'),
          { machineId: pumps, group: '', tag: 'outlet_pressure' },
        ],
        parts: ['availability', 'statistics', 'trends', 'alarms'],
      },
      nextAt: nextReportAt(schedule, Date.now()),
    },
    { userId: ownerId, at: new Date(madeAt) },
  )
  await setRecipients(trx, id, { userIds: [ownerId], contactIds: [] })
}
