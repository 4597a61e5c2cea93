import type { InputOf, operator } from '@busbar/contract'
import { sql } from 'kysely'
import { escapeLike } from '../../kernel/database/search.ts'
import type { Db } from './sims-store.ts'

type PlanFields = InputOf<typeof operator.createPlan>

/** A plan by the name that an import gives, in small letters. */
export async function listPlanIds(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; id: number }>`
    select lower(name) as name, id from sim_plans`.execute(db)
  return new Map(rows.map(({ name, id }) => [name, id]))
}

export async function hasPlan(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select from sim_plans where id = ${id}`.execute(db)
  return rows.length > 0
}

/** Plans by their name, with the number of their cards. */
export async function listPlans(
  db: Db,
  {
    search,
    offset,
    count,
  }: { readonly search: string | undefined; readonly offset: number; readonly count: number },
): Promise<{ list: operator.PlanRow[]; total: number }> {
  const { rows } = await sql<operator.PlanRow & { total: number }>`
    select id, name, account as carrier, total_mb::float8 as "totalMb", cycle, count(*) over ()::int as total,
           (select count(*)::int from sims where plan_id = sim_plans.id) as cards
    from sim_plans where lower(name) like ${`%${escapeLike((search ?? '').toLowerCase())}%`}
    order by name collate "zh-x-icu", id limit ${count} offset ${offset}`.execute(db)
  return { list: rows.map(({ total: _, ...plan }) => plan), total: rows[0]?.total ?? 0 }
}

export async function countPlans(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from sim_plans`.execute(db)
  return rows[0]?.count ?? 0
}

/** Undefined where another plan has the name. */
export async function createPlan(trx: Db, plan: PlanFields, at: Date): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into sim_plans (name, account, total_mb, cycle, created_at)
    values (${plan.name}, ${plan.carrier}, ${plan.totalMb}, ${plan.cycle}, ${at})
    on conflict (lower(name)) do nothing returning id`.execute(trx)
  return rows[0]?.id
}

/** Changes a plan; the figures of its cards are asked for anew. False where another plan has the name. */
export async function updatePlan(trx: Db, id: number, plan: PlanFields, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update sim_plans set name = ${plan.name}, account = ${plan.carrier}, total_mb = ${plan.totalMb}, cycle = ${plan.cycle}
    where id = ${id} and not exists (
      select from sim_plans other where lower(other.name) = lower(${plan.name}) and other.id <> ${id})
    returning id`.execute(trx)
  if (rows.length === 0) return false
  await sql`
    update sims set due_at = ${at} where id in (
      select id from sims where plan_id = ${id} order by id for update)`.execute(trx)
  return true
}

/** False where cards use it. */
export async function deletePlan(trx: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from sim_plans where id = ${id} and not exists (select from sims where plan_id = ${id})
    returning id`.execute(trx)
  return rows.length > 0
}
