import { type SimCycle, type SimState, simStates, simStatus } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { CarrierCard } from './carriers/carrier.ts'
import type { Forecast } from './forecast.ts'
import type { DayBytes } from './plan-month.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** An alarm about another machine ends so long after that was last seen: a stranger who comes and goes raises few. */
export const elsewhereMs = 86_400_000

/** Days of traffic are kept so long. */
const daysKept = 400

export interface NewCard {
  readonly iccid: string
  readonly machineId: number | null
  readonly planId: number
  readonly expireAt: number | null
}

/** Registers cards that are not known yet; answers the ICCIDs of those. */
export async function createCards(trx: Db, cards: readonly NewCard[], at: Date): Promise<Set<string>> {
  const { rows } = await sql<{ iccid: string }>`
    insert into sims (iccid, machine_id, plan_id, expire_at, created_at, due_at, watch_at)
    select iccid, machine_id, plan_id, expire_at, ${at}, ${at}, case when expire_at is null then null else ${at}::timestamptz end
    from unnest(${cards.map(({ iccid }) => iccid)}::text[], ${cards.map(({ machineId }) => machineId)}::bigint[],
                ${cards.map(({ planId }) => planId)}::bigint[],
                ${cards.map(({ expireAt }) => expireAt && new Date(expireAt))}::timestamptz[])
      as card (iccid, machine_id, plan_id, expire_at)
    on conflict (card_key) do nothing
    returning iccid`.execute(trx)
  return new Set(rows.map(({ iccid }) => iccid))
}

export async function countCards(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from sims`.execute(db)
  return rows[0]?.count ?? 0
}

/** The machines of known cards, by the key of the card. */
export async function listKnown(db: Db, keys: readonly string[]): Promise<Map<string, number | null>> {
  const { rows } = await sql<{ card_key: string; machine_id: number | null }>`
    select card_key, machine_id from sims where card_key = any(${[...keys]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.card_key, row.machine_id]))
}

/** The ids of machines by their codes. */
export async function listMachinesOf(db: Db, codes: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ code: string; id: number }>`
    select code, id from machines where code = any(${[...codes]}::text[])`.execute(db)
  return new Map(rows.map(({ code, id }) => [code, id]))
}

/** Changes what the operator wishes of a card; its figures are asked for anew. */
export async function updateCard(
  trx: Db,
  id: number,
  { machineId, planId, expireAt }: Omit<NewCard, 'iccid'>,
  at: Date,
): Promise<void> {
  await sql`
    update sims set machine_id = ${machineId}, plan_id = ${planId}, expire_at = ${expireAt && new Date(expireAt)},
      told = case when machine_id is not distinct from ${machineId}::bigint then told else '{}' end,
      due_at = ${at}, watch_at = ${at}
    where id = ${id}`.execute(trx)
}

export async function deleteCard(trx: Db, id: number): Promise<void> {
  await sql`delete from sims where id = ${id}`.execute(trx)
}

/** A card under a lock until the end of the transaction, with its plan. */
export interface LockedCard {
  readonly id: number
  readonly iccid: string
  readonly machineId: number | null
  readonly state: SimState
  readonly expireAt: number | null
  readonly asOf: number | null
  readonly changedAt: number | null
  readonly cycle: SimCycle
  readonly totalMb: number | null
  readonly usedBytes: number | null
  /** The first day of the month of `usedBytes`. */
  readonly cycleFrom: string | null
  /** Another machine reports it now, and when it was last seen to. */
  readonly isReportedElsewhere: boolean
  readonly elsewhereAt: number | null
  readonly told: readonly string[]
}

const reportedElsewhere = sql<boolean>`exists (
  select from machines other
  where other.attributes ? 'iccid' and left(other.attributes ->> 'iccid', 19) = sims.card_key
    and other.id <> sims.machine_id)`

/** Locks cards in the order of their ids. */
export async function lockCards(trx: Db, ids: readonly number[]): Promise<LockedCard[]> {
  const { rows } = await sql<Omit<LockedCard, 'state'> & { state: number }>`
    select sims.id, iccid, machine_id as "machineId", state, cycle, total_mb::float8 as "totalMb",
           used_bytes::float8 as "usedBytes", to_char(cycle_from, 'YYYY-MM-DD') as "cycleFrom", told,
           (extract(epoch from expire_at) * 1000)::float8 as "expireAt",
           (extract(epoch from as_of) * 1000)::float8 as "asOf",
           (extract(epoch from changed_at) * 1000)::float8 as "changedAt",
           ${reportedElsewhere} as "isReportedElsewhere",
           (extract(epoch from elsewhere_at) * 1000)::float8 as "elsewhereAt"
    from sims join sim_plans on sim_plans.id = sims.plan_id
    where sims.id = any(${[...ids]}::bigint[]) order by sims.id for update of sims`.execute(trx)
  return rows.map((row) => ({ ...row, state: simStates[row.state - 1] ?? 'unknown' }))
}

/** A card as its carrier and the time have made it; undefined figures of the carrier stay. */
export interface CardOutcome {
  /** Undefined: the carrier was not asked. */
  readonly answer: CardAnswer | undefined
  readonly usedBytes: number | null
  readonly cycleFrom: string | null
  readonly forecast: Forecast | null
  readonly told: readonly string[]
  readonly watchAt: number | null
  readonly elsewhereAt: number | null
}

export interface CardAnswer {
  /** Undefined: what was known of it stays. */
  readonly card: CarrierCard | undefined
  readonly asOf: number | null
  readonly changedAt: number | null
  /** Undefined: its figures were not asked for. */
  readonly dueAt: number | undefined
}

export async function storeOutcome(trx: Db, id: number, outcome: CardOutcome): Promise<void> {
  const { answer, usedBytes, cycleFrom, forecast, told, watchAt, elsewhereAt } = outcome
  await sql`
    update sims set used_bytes = ${usedBytes}, cycle_from = ${cycleFrom}::date, runs_out = ${forecast?.at ?? null}::date,
      runs_out_earliest = ${forecast?.earliest ?? null}::date, runs_out_latest = ${forecast?.latest ?? null}::date,
      told = ${[...told]}::text[], watch_at = ${instant(watchAt)}, elsewhere_at = ${instant(elsewhereAt)}${answer ? answered(answer) : sql``}
    where id = ${id}`.execute(trx)
}

const answered = ({ card, asOf, changedAt, dueAt }: CardAnswer) => sql`,
  changed_at = ${instant(changedAt)}, as_of = greatest(as_of, ${instant(asOf)}), failed_at = null
  ${dueAt === undefined ? sql`` : sql`, due_at = ${instant(dueAt)}`}
  ${card === undefined ? sql`` : sql`, ${detailed(card)}`}`

const detailed = (card: CarrierCard) => sql`
  state = ${simStatus(card.state)}, word = ${card.word}, msisdn = ${card.msisdn},
  stop_reason = ${card.stopReason === undefined ? sql`stop_reason` : card.stopReason},
  active_at = coalesce(${instant(card.activeAt)}, active_at), expire_at = coalesce(expire_at, ${instant(card.expireAt)})`

const instant = (at: number | null) => sql`${at === null ? null : new Date(at)}::timestamptz`

/** Stores the traffic of days; a later answer corrects an earlier one. */
export async function storeDays(trx: Db, simId: number, days: readonly DayBytes[]): Promise<void> {
  if (days.length === 0) return
  await sql`
    insert into sim_days (sim_id, day, bytes)
    select ${simId}, day, bytes from unnest(${days.map(({ day }) => day)}::date[],
      ${days.map(({ bytes }) => Math.round(bytes))}::bigint[]) as told (day, bytes)
    on conflict (sim_id, day) do update set bytes = excluded.bytes`.execute(trx)
}

/** The carrier gave no answer about these cards; their figures stay. */
export async function storeFailed(db: Db, ids: readonly number[], at: Date, dueAt: Date): Promise<void> {
  await sql`
    update sims set failed_at = coalesce(failed_at, ${at}), due_at = ${dueAt}
    where id in (select id from sims where id = any(${[...ids]}::bigint[]) order by id for update)`.execute(
    db,
  )
}

/** Removes the days of all cards that are older than can be shown. */
export async function removeOldDays(db: Db, at: Date): Promise<void> {
  await sql`delete from sim_days where day < (${at}::timestamptz - ${daysKept} * interval '1 day')::date`.execute(
    db,
  )
}

/** The traffic of a card by day, the latest first; `since` a day. */
export async function listDays(db: Db, simId: number, since = '-infinity'): Promise<DayBytes[]> {
  const { rows } = await sql<DayBytes>`
    select to_char(day, 'YYYY-MM-DD') as day, bytes::float8 as bytes from sim_days
    where sim_id = ${simId} and day >= ${since}::date order by day desc limit ${daysKept}`.execute(db)
  return rows
}

export interface DueCard {
  readonly id: number
  readonly iccid: string
  readonly asOf: number | null
}

/** Cards of an account whose figures are due, those first that wait longest. */
export async function listDue(db: Db, account: string, at: Date, count: number): Promise<DueCard[]> {
  const { rows } = await sql<DueCard>`
    select due.id, due.iccid, (extract(epoch from due.as_of) * 1000)::float8 as "asOf"
    from sim_plans plan cross join lateral (
      select id, iccid, as_of, due_at from sims
      where plan_id = plan.id and due_at <= ${at} order by due_at limit ${count}) due
    where plan.account = ${account} order by due.due_at, due.id limit ${count}`.execute(db)
  return rows
}

/** Makes cards due that changed at their carrier. */
export async function makeDue(db: Db, account: string, keys: readonly string[], at: Date): Promise<void> {
  await sql`
    update sims set due_at = ${at}
    where id in (
      select sims.id from sims join sim_plans plan on plan.id = sims.plan_id
      where plan.account = ${account} and card_key = any(${[...keys]}::text[]) and due_at > ${at}
      order by sims.id for update of sims)`.execute(db)
}

/** The next owner of a machine is told anew: the alarms of before ended with its former owner. */
export async function beginAnew(trx: Db, machineId: number, at: Date): Promise<void> {
  await sql`update sims set told = '{}', elsewhere_at = null, watch_at = ${at} where machine_id = ${machineId}`.execute(
    trx,
  )
}

/** Cards whose alarms may have to change though their carrier told nothing: a plan ends, or another machine reports one. */
export async function listToWatch(db: Db, at: Date, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    (select id from sims where watch_at <= ${at} order by watch_at limit ${count})
    union
    (select sims.id from machines join sims on sims.card_key = left(machines.attributes ->> 'iccid', 19)
     where machines.attributes ? 'iccid' and sims.machine_id <> machines.id and not 'elsewhere' = any(sims.told)
     limit ${count})
    union
    (select sims.id from sims where 'elsewhere' = any(told)
       and elsewhere_at <= ${at}::timestamptz - ${elsewhereMs} * interval '1 ms' / 2
     limit ${count})`.execute(db)
  return rows.map(({ id }) => id)
}

/** How far the list of an account was read, in epoch milliseconds. */
export interface ListState {
  /** When the list was begun that was read to its end; null: none was. */
  readonly listedAt: number | null
  /** Of the one that is being read; null: none is. */
  readonly begunAt: number | null
  /** Null: its first. */
  readonly page: string | null
}

export async function findList(db: Db, account: string): Promise<ListState> {
  const { rows } = await sql<{
    listed_at: Date | null
    list_begun_at: Date | null
    list_page: string | null
  }>`
    select listed_at, list_begun_at, list_page from sim_accounts where name = ${account}`.execute(db)
  const [row] = rows
  return {
    listedAt: row?.listed_at?.getTime() ?? null,
    begunAt: row?.list_begun_at?.getTime() ?? null,
    page: row?.list_page ?? null,
  }
}

export async function storeList(
  db: Db,
  account: string,
  { listedAt, begunAt, page }: ListState,
): Promise<void> {
  await sql`
    insert into sim_accounts (name, listed_at, list_begun_at, list_page)
    values (${account}, ${instant(listedAt)}, ${instant(begunAt)}, ${page})
    on conflict (name) do update set listed_at = excluded.listed_at, list_begun_at = excluded.list_begun_at,
      list_page = excluded.list_page`.execute(db)
}

/** The cards of an account among those of a list. */
export async function listOfAccount(
  db: Db,
  account: string,
  keys: readonly string[],
): Promise<
  { id: number; key: string; word: string; msisdn: string; stopReason: string | null; isActive: boolean }[]
> {
  const { rows } = await sql<{
    id: number
    key: string
    word: string
    msisdn: string
    stopReason: string | null
    isActive: boolean
  }>`
    select sims.id, card_key as key, word, msisdn, stop_reason as "stopReason", active_at is not null as "isActive"
    from sims join sim_plans plan on plan.id = sims.plan_id
    where plan.account = ${account} and card_key = any(${[...keys]}::text[])`.execute(db)
  return rows
}

/** Notes whether an account answered; an empty fault: it did. */
export async function storeHealth(db: Db, account: string, fault: string, at: Date): Promise<void> {
  const [succeededAt, failedAt] = fault === '' ? [at, null] : [null, at]
  await sql`
    insert into sim_accounts (name, succeeded_at, failed_at, fault) values (${account}, ${succeededAt}, ${failedAt}, ${fault})
    on conflict (name) do update set succeeded_at = coalesce(excluded.succeeded_at, sim_accounts.succeeded_at),
      failed_at = excluded.failed_at, fault = excluded.fault`.execute(db)
}
