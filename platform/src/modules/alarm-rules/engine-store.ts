import { sql } from 'kysely'
import type pg from 'pg'
import { type Database, withClient } from '../../kernel/database/database.ts'
import { type AlarmEvent, type AlarmFacts, writeAlarms } from '../alarms/index.ts'
import type { Rule } from './rules-store.ts'

/** A rule with its stored state. */
export interface LoadedRule extends Rule {
  readonly zone: string
  /** When it was made, or what it evaluates was changed last. */
  readonly changedAt: Date
  /** Null: this version was not evaluated yet. */
  readonly state: { readonly rule: unknown; readonly offsetMs: number } | null
}

/** The rules that a node evaluates, with their states; of all machines where none is named. */
export async function loadRules(
  db: Database,
  nodeId: string,
  machineIds?: readonly number[],
): Promise<LoadedRule[]> {
  const { rows } = await sql<LoadedRule>`
    select rules.id, rules.machine_id as "machineId", rules.level, condition, on_delay as "onDelay",
           off_delay as "offDelay", rules.text, rules.instruction, active_hours as "activeHours", rules.version,
           rules.updated_at as "updatedAt", machines.time_zone as zone, states.state,
           case rules.version when 1 then rules.created_at else rules.updated_at end as "changedAt"
    from alarm_rules rules join machines on machines.id = rules.machine_id
    left join alarm_rule_states states on states.rule_id = rules.id and states.version = rules.version
    where rules.node_id = ${nodeId} ${machineIds ? sql`and rules.machine_id = any(${machineIds}::bigint[])` : sql``}
    order by rules.id`.execute(db)
  return rows
}

/**
 * The rules that a node takes over, out of those that it does not evaluate already. Except for `all`, those of machines
 * that are connected to another node are left out: a node may hold a broken connection for a while and not know that the
 * machine went elsewhere.
 */
export type Claim =
  | 'all'
  /** Those of machines that this node holds; `isNew`: only those that no node evaluates. */
  | { readonly machineIds: readonly number[]; readonly isNew?: boolean }
  /** Rules whose node is not among these, and older rules without a node. */
  | { readonly livingNodes: readonly string[]; readonly madeBefore: Date }

/** A rule that was taken over. */
export interface ClaimedRule {
  readonly id: number
  readonly machineId: number
  /** Null without a former node. */
  readonly former: string | null
}

/**
 * How far a node has evaluated. Samples that were received before the first of all positions are in the states of rules,
 * whichever node stored them and whichever evaluates them.
 */
export interface Position {
  readonly nodeId: string
  readonly receivedAt: Date
  /** The node was alive then. */
  readonly writtenAt: Date
}

export interface Taken {
  readonly rules: readonly ClaimedRule[]
  /** Machines of the claim whose rules are another node's, because they are connected there. */
  readonly elsewhere: ReadonlySet<number>
  /** As they were before. */
  readonly positions: readonly Position[]
  /** Positions of nodes that are gone were taken over. */
  readonly hasGone: boolean
}

/**
 * Takes rules over: from the commit on no other node can write of them. The position of this node goes back to the first
 * of all, so that another one can do the same where this one ends; `isStart`: its former process ended, whose rules are
 * taken over like those of others.
 */
export async function takeRules(
  trx: Database,
  nodeId: string,
  claim: Claim,
  isStart = false,
): Promise<Taken> {
  const rules = await claimRules(trx, nodeId, claim, isStart)
  // After the claim: what its nodes have written of these rules is in the states that are read after the commit.
  const positions = await trx
    .selectFrom('alarm_rule_positions')
    .select(['node_id as nodeId', 'received_at as receivedAt', 'written_at as writtenAt'])
    .execute()
  const gone = positions.filter((position) => position.nodeId !== nodeId && isGone(claim, position))
  const removed = gone.length > 0 ? await removePositions(trx, gone) : 0
  if (rules.length > 0 || removed > 0) await lowerPosition(trx, nodeId, positions)
  const isOfMachines = claim !== 'all' && 'machineIds' in claim
  const elsewhere = isOfMachines ? await listElsewhere(trx, nodeId, claim.machineIds) : []
  return { rules, elsewhere: new Set(elsewhere), positions, hasGone: removed > 0 }
}

async function claimRules(
  trx: Database,
  nodeId: string,
  claim: Claim,
  isStart: boolean,
): Promise<ClaimedRule[]> {
  const isOthers = sql`node_id is distinct from ${nodeId} and ${conditionOf(claim, nodeId)}`
  const { rows } = await sql<ClaimedRule>`
    with found as materialized (
      select id, machine_id, node_id from alarm_rules
      where ${isStart ? sql`node_id = ${nodeId} or ` : sql``} ${isOthers}
      order by id for no key update
    ), claimed as (
      update alarm_rules rules set node_id = ${nodeId} from found
      where rules.id = found.id and rules.node_id is distinct from ${nodeId}
    )
    select id, machine_id as "machineId", node_id as former from found order by id`.execute(trx)
  return rows
}

function conditionOf(claim: Claim, nodeId: string) {
  if (claim === 'all') return sql`true`
  const isElsewhere = sql`exists (select from machine_connections held
    where held.machine_id = alarm_rules.machine_id and held.ended_at is null and held.expected_until is null
      and held.node_id <> ${nodeId})`
  if ('livingNodes' in claim)
    return sql`(node_id <> all(${claim.livingNodes}::text[])
      or node_id is null and created_at < ${claim.madeBefore}) and not ${isElsewhere}`
  return sql`machine_id = any(${claim.machineIds}::bigint[]) and not ${isElsewhere}
    ${claim.isNew ? sql`and node_id is null` : sql``}`
}

function isGone(claim: Claim, { nodeId }: Position): boolean {
  return claim === 'all' || ('livingNodes' in claim && !claim.livingNodes.includes(nodeId))
}

/** Those of nodes that still have rules stay: who takes these later needs them. */
async function removePositions(trx: Database, gone: readonly Position[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from alarm_rule_positions position where node_id = any(${gone.map(({ nodeId }) => nodeId)}::text[])
      and not exists (select from alarm_rules where alarm_rules.node_id = position.node_id)`.execute(trx)
  return Number(numAffectedRows)
}

async function lowerPosition(trx: Database, nodeId: string, positions: readonly Position[]): Promise<void> {
  const [first] = positions.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())
  if (!first) return
  const { receivedAt, writtenAt } = first
  await trx
    .insertInto('alarm_rule_positions')
    .values({ node_id: nodeId, received_at: receivedAt, written_at: writtenAt })
    .onConflict((conflict) => conflict.column('node_id').doUpdateSet({ received_at: receivedAt }))
    .execute()
}

async function listElsewhere(
  trx: Database,
  nodeId: string,
  machineIds: readonly number[],
): Promise<number[]> {
  const rows = await trx
    .selectFrom('alarm_rules')
    .select('machine_id')
    .distinct()
    .where('machine_id', '=', sql<number>`any(${machineIds}::bigint[])`)
    .where('node_id', '<>', nodeId)
    .execute()
  return rows.map((row) => row.machine_id)
}

/** A rule's stored changes: its state, and its alarms since the last write. */
export interface RuleWrite {
  readonly ruleId: number
  readonly machineId: number
  readonly version: number
  /** As JSON. */
  readonly state: string
  readonly isActive: boolean
  readonly raisedAt: number | null
  readonly events: readonly AlarmEvent[]
}

/**
 * Writes alarms, the states of their rules and, where it is given, the position of this node in one transaction. Rules
 * that were edited or removed meanwhile are left out, and so are those that another node took over: answers their ids.
 * The locks are taken in the order in which an edit takes them.
 */
export async function writeOutcomes(
  db: Database,
  writes: readonly RuleWrite[],
  options: {
    readonly facts: AlarmFacts
    readonly at: Date
    readonly nodeId: string
    readonly position?: { readonly receivedAt: Date } | undefined
  },
): Promise<ReadonlySet<number>> {
  const { facts, at, nodeId, position } = options
  return withClient(db, async (client) => {
    const held = await beginWithRules(client, writes)
    try {
      const kept = writes.filter(({ ruleId, version }) => {
        const rule = held.get(ruleId)
        return rule?.version === version && rule.node_id === nodeId
      })
      await writeAlarms(
        client,
        kept.flatMap(({ events }) => events),
        facts,
      )
      if (kept.length > 0) {
        await client.query(
          `-- plan: rule-states
           insert into alarm_rule_states (rule_id, version, state, is_active, raised_at, updated_at)
           select *, $6::timestamptz
           from unnest($1::bigint[], $2::int[], $3::jsonb[], $4::boolean[], $5::timestamptz[])
           on conflict (rule_id) do update set version = excluded.version, state = excluded.state,
             is_active = excluded.is_active, raised_at = excluded.raised_at, updated_at = excluded.updated_at`,
          [
            kept.map(({ ruleId }) => ruleId),
            kept.map(({ version }) => version),
            kept.map(({ state }) => state),
            kept.map(({ isActive }) => isActive),
            kept.map(({ raisedAt }) => (raisedAt === null ? null : new Date(raisedAt))),
            at,
          ],
        )
      }
      if (position) {
        await client.query(
          `insert into alarm_rule_positions (node_id, received_at, written_at) values ($1, $2, $3)
           on conflict (node_id) do update set received_at = excluded.received_at, written_at = excluded.written_at`,
          [nodeId, position.receivedAt, at],
        )
      }
      await client.query('commit')
      const elsewhere = writes.filter(({ ruleId }) => (held.get(ruleId)?.node_id ?? nodeId) !== nodeId)
      return new Set(elsewhere.map(({ ruleId }) => ruleId))
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  })
}

interface HeldRule {
  readonly id: number
  readonly version: number
  readonly node_id: string | null
}

/**
 * Begins a transaction and holds rules with their machines until its end; answers them by id. The statements go
 * in one message: an alarm waits for each way to the database.
 */
async function beginWithRules(
  client: pg.ClientBase,
  writes: readonly RuleWrite[],
): Promise<ReadonlyMap<number, HeldRule>> {
  const arrayOf = (ids: readonly number[]) => `array[${ids.map(Number).join()}]::bigint[]`
  // Several results: of each statement one.
  const results = (await client.query(
    `begin;
     with held as materialized (
       select id from machines where id = any(${arrayOf(writes.map(({ machineId }) => machineId))}) order by id
       for key share
     )
     select id, version, node_id from alarm_rules
     where id = any(${arrayOf(writes.map(({ ruleId }) => ruleId))}) and (select count(*) from held) >= 0
     order by id for share`,
  )) as unknown as readonly pg.QueryResult<HeldRule>[]
  return new Map(results.flatMap(({ rows }) => rows).map((rule) => [rule.id, rule]))
}
