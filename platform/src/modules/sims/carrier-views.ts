import type { operator } from '@busbar/contract'
import { sql } from 'kysely'
import type { CarrierAccount } from './carriers/open-carriers.ts'
import type { Db } from './sims-store.ts'

/** The accounts at carriers, with their health and the age of their figures. */
export async function listCarriers(
  db: Db,
  accounts: readonly CarrierAccount[],
  now: number,
): Promise<operator.CarrierRow[]> {
  const { rows } = await sql<{
    account: string
    cards: number
    waiting: number
    oldest: Date | null
    succeeded_at: Date | null
    failed_at: Date | null
    fault: string | null
  }>`
    select plan.account, count(sims.id)::int as cards, min(sims.as_of) as oldest,
           (count(*) filter (where sims.due_at <= ${new Date(now)}))::int as waiting,
           health.succeeded_at, health.failed_at, health.fault
    from sim_plans plan left join sims on sims.plan_id = plan.id left join sim_accounts health on health.name = plan.account
    group by plan.account, health.succeeded_at, health.failed_at, health.fault`.execute(db)
  const byName = new Map(rows.map((row) => [row.account, row]))
  return accounts.map(({ name, kind, carrier }) => {
    const row = byName.get(name)
    return {
      name,
      kind,
      cards: row?.cards ?? 0,
      states: Object.entries(carrier.states).map(([word, state]) => ({ word, state })),
      succeededAt: row?.succeeded_at?.getTime() ?? null,
      failedAt: row?.failed_at?.getTime() ?? null,
      fault: row?.fault ?? '',
      oldestAsOf: row?.oldest?.getTime() ?? null,
      waiting: row?.waiting ?? 0,
    }
  })
}
