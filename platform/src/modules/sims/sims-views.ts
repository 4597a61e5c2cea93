import {
  type sims as contract,
  type operator,
  type SimCycle,
  type SimStopReason,
  simStates,
  simStatus,
} from '@busbar/contract'
import { type RawBuilder, sql } from 'kysely'
import { type AskedOrder, byText, orderOf } from '../../kernel/database/order.ts'
import { escapeLike } from '../../kernel/database/search.ts'
import { hasWrongCheckDigit } from './check-digit.ts'
import { dayOf, planMonthOf, sumMonths } from './plan-month.ts'
import { type Db, listDays } from './sims-store.ts'

const dayMs = 86_400_000
const mb = 1_000_000
const daysShown = 62

export interface CardFilter extends AskedOrder<(typeof contract.cardOrders)[number]> {
  readonly page: number
  readonly pageSize: number
  readonly search?: string | undefined
  readonly state?: contract.ListedCard['state'] | undefined
  readonly planId?: number | undefined
  readonly carrier?: string | undefined
  readonly daysLeft?: number | undefined
  readonly usedPercent?: number | undefined
  readonly only?: 'unused' | 'differs' | 'failing' | undefined
}

/** The machines of a list, with the names that its reader gave them. Undefined: every card, for an operator. */
export interface CardScope {
  readonly machineIds: readonly number[]
  readonly userId: number
  readonly eid: number | undefined
}

interface CardRow {
  id: number
  iccid: string
  machine_id: number | null
  machine_code: string | null
  machine_name: string | null
  state: number
  word: string
  stop_reason: SimStopReason | null
  msisdn: string
  account: string
  plan_id: number
  plan_name: string
  total_mb: number | null
  cycle: SimCycle
  used_bytes: number | null
  cycle_from: string | null
  as_of: Date | null
  active_at: Date | null
  expire_at: Date | null
  runs_out: string | null
  runs_out_earliest: string | null
  runs_out_latest: string | null
  failed_at: Date | null
  told_iccid: string | null
}

/** The card that its machine reports, where it is another. */
const toldIccid = sql<string | null>`case
  when machines.attributes ? 'iccid' and left(machines.attributes ->> 'iccid', 19) <> sims.card_key
  then left(machines.attributes ->> 'iccid', 20) end`

const day = (column: string) =>
  sql`to_char(${sql.ref(column)}, 'YYYY-MM-DD') as ${sql.ref(column.split('.')[1] ?? '')}`

const columns = (name: RawBuilder<string>) => sql`
  sims.id, sims.iccid, sims.machine_id, machines.code as machine_code, ${name} as machine_name, sims.state, sims.word,
  sims.stop_reason, sims.msisdn, plan.account, sims.plan_id, plan.name as plan_name,
  plan.total_mb::float8 as total_mb, plan.cycle, sims.used_bytes::float8 as used_bytes, ${day('sims.cycle_from')},
  sims.as_of, sims.active_at, sims.expire_at, ${day('sims.runs_out')}, ${day('sims.runs_out_earliest')},
  ${day('sims.runs_out_latest')}, sims.failed_at, ${toldIccid} as told_iccid`

const percentUsed = sql`sims.used_bytes / (plan.total_mb * ${mb}::float8) * 100`

/** A page of cards, with sums over all of them. */
export async function listCards(db: Db, scope: CardScope | undefined, filter: CardFilter, now: number) {
  const name = scope ? nameIn(scope) : sql<string>`machines.name`
  const from = sql`
    sims join sim_plans plan on plan.id = sims.plan_id left join machines on machines.id = sims.machine_id
    where ${scope ? sql`sims.machine_id = any(${[...scope.machineIds]}::bigint[])` : sql`true`}
      and ${matches(name, filter, now)}`
  const orders = {
    expireAt: { by: sql`sims.expire_at`, hasNulls: true },
    usedMb: { by: sql`sims.used_bytes`, hasNulls: true },
    iccid: byText('sims.iccid'),
    machineName: { by: sql`${name} collate "zh-x-icu"`, hasNulls: true },
    asOf: { by: sql`sims.as_of`, hasNulls: true },
  } as const
  const order = orderOf(orders, 'sims.id', filter, sql`sims.expire_at nulls last, sims.id`)
  const { rows } = await sql<CardRow>`
    select ${columns(name)} from ${from} order by ${order}
    limit ${filter.pageSize} offset ${(filter.page - 1) * filter.pageSize}`.execute(db)
  const sums = await sql<{ state: number; count: number; used: number; open: number; total: number }>`
    select sims.state, count(*)::int as count,
           coalesce(sum(sims.used_bytes) filter (where plan.total_mb is not null), 0)::float8 as used,
           coalesce(sum(sims.used_bytes) filter (where plan.total_mb is null), 0)::float8 as open,
           coalesce(sum(plan.total_mb), 0)::float8 as total
    from ${from} group by sims.state order by sims.state`.execute(db)
  const add = (pick: (row: (typeof sums.rows)[number]) => number) =>
    sums.rows.reduce((sum, row) => sum + pick(row), 0)
  return {
    list: rows.map(present),
    total: add(({ count }) => count),
    page: filter.page,
    pageSize: filter.pageSize,
    sums: {
      usedMb: roundMb(add(({ used }) => used)),
      totalMb: add(({ total }) => total),
      openMb: roundMb(add(({ open }) => open)),
      byState: sums.rows.map(({ state, count }) => ({ state: stateOf(state), count })),
    },
  }
}

/** The plans and accounts of the cards of machines, to filter by. */
export async function listChoices(db: Db, machineIds: readonly number[]) {
  const { rows } = await sql<Pick<CardRow, 'plan_id' | 'plan_name' | 'total_mb' | 'cycle' | 'account'>>`
    select plan.id as plan_id, plan.name as plan_name, plan.total_mb::float8 as total_mb, plan.cycle, plan.account
    from sim_plans plan
    where id in (select plan_id from sims where machine_id = any(${[...machineIds]}::bigint[]))
    order by plan.name collate "zh-x-icu", plan.id`.execute(db)
  return { plans: rows.map(planOf), carriers: [...new Set(rows.map(({ account }) => account))].sort() }
}

/** As the reader calls a machine in the list. */
const nameIn = ({ userId, eid }: CardScope) =>
  eid === undefined
    ? sql<string>`coalesce((select entry.name from machine_list_entries entry
        where entry.user_id = ${userId} and entry.machine_id = machines.id), machines.name)`
    : sql<string>`coalesce((select entry.name from enterprise_machines entry
        where entry.enterprise_id = ${eid} and entry.machine_id = machines.id), machines.name)`

function matches(name: RawBuilder<string>, filter: CardFilter, now: number) {
  const { search, state, planId, carrier, daysLeft, usedPercent, only } = filter
  const pattern = `%${escapeLike((search ?? '').toLowerCase())}%`
  const conditions = [
    ...(search
      ? [
          sql`(lower(sims.iccid) like ${pattern} or sims.msisdn like ${pattern} or machines.code like ${pattern}
               or lower(${name}) like ${pattern})`,
        ]
      : []),
    ...(state ? [sql`sims.state = ${simStatus(state)}`] : []),
    ...(planId === undefined ? [] : [sql`sims.plan_id = ${planId}`]),
    ...(carrier ? [sql`plan.account = ${carrier}`] : []),
    ...(daysLeft === undefined ? [] : [sql`sims.expire_at < ${new Date(now + daysLeft * dayMs)}`]),
    ...(usedPercent === undefined ? [] : [sql`${percentUsed} >= ${usedPercent}`]),
    ...(only === 'unused' ? [sql`sims.machine_id is null`] : []),
    ...(only === 'differs' ? [sql`${toldIccid} is not null`] : []),
    ...(only === 'failing' ? [sql`sims.failed_at is not null`] : []),
  ]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** The cards of a machine: the one that it reports first, then the one whose plan ends last. */
export async function listOfMachine(db: Db, machineId: number): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select ${columns(sql<string>`machines.name`)}
    from sims join sim_plans plan on plan.id = sims.plan_id join machines on machines.id = sims.machine_id
    where sims.machine_id = ${machineId}
    order by (left(machines.attributes ->> 'iccid', 19) is not distinct from sims.card_key) desc,
             sims.expire_at desc nulls first, sims.id`.execute(db)
  return rows
}

/** The machine of a card; null: it is in none; undefined: there is no such card. */
export async function findMachineOf(db: Db, key: string): Promise<number | null | undefined> {
  const { rows } = await sql<{ machine_id: number | null }>`
    select machine_id from sims where card_key = ${key}`.execute(db)
  return rows[0]?.machine_id
}

/** A card with its past since its machine has this owner (`ownedSince`, epoch milliseconds). */
export async function showCard(
  db: Db,
  cards: readonly CardRow[],
  row: CardRow,
  ownedSince: number | undefined,
  now: number,
): Promise<contract.SimCard> {
  const days = await listDays(db, row.id, ownedSince === undefined ? undefined : dayOf(ownedSince))
  const month = planMonthOf(dayOf(now), row.cycle)
  const { machineCode: _, machineName: __, id: ___, ...card } = present(row)
  return {
    ...card,
    machineId: row.machine_id ?? 0,
    cycleFrom: month.from,
    cycleTo: month.to,
    history: sumMonths(days, row.cycle).map(({ month: name, bytes }) => ({
      month: name,
      mb: roundMb(bytes),
    })),
    days: days.slice(0, daysShown).map(({ day: name, bytes }) => ({ day: name, mb: roundMb(bytes) })),
    hasWrongCheckDigit: hasWrongCheckDigit(row.iccid),
    cards: cards.map(({ iccid }) => iccid),
  }
}

const stateOf = (status: number) => simStates[status - 1] ?? 'unknown'
const roundMb = (bytes: number): number => Math.round(bytes / 10_000) / 100

const planOf = (row: Pick<CardRow, 'plan_id' | 'plan_name' | 'total_mb' | 'cycle'>) => ({
  planId: row.plan_id,
  name: row.plan_name,
  totalMb: row.total_mb,
  cycle: row.cycle,
})

function present(row: CardRow): operator.OperatorCard {
  const { used_bytes, total_mb, runs_out, runs_out_earliest } = row
  const usedMb = used_bytes === null ? null : roundMb(used_bytes)
  return {
    id: row.id,
    iccid: row.iccid,
    machineId: row.machine_id,
    machineCode: row.machine_code ?? '',
    machineName: row.machine_name ?? '',
    msisdn: row.msisdn,
    carrier: row.account,
    status: row.state,
    state: stateOf(row.state),
    statusText: row.word,
    stopReason: row.stop_reason,
    plan: planOf(row),
    usedMb,
    leftMb:
      usedMb === null || total_mb === null ? null : Math.max(0, roundMb(total_mb * mb - (used_bytes ?? 0))),
    asOf: row.as_of?.getTime() ?? null,
    activeAt: row.active_at?.getTime() ?? null,
    expireAt: row.expire_at?.getTime() ?? null,
    forecast:
      runs_out === null || runs_out_earliest === null
        ? null
        : { at: runs_out, earliest: runs_out_earliest, latest: row.runs_out_latest },
    toldIccid: row.told_iccid,
    failedAt: row.failed_at?.getTime() ?? null,
  }
}
