import { sql } from 'kysely'
import type pg from 'pg'
import { type Database, withClient } from '../../kernel/database/database.ts'
import { type AlarmEvent, type AlarmFacts, writeAlarms } from '../alarms/index.ts'
import type { Rule } from './rules-store.ts'

/** A rule with what was remembered of it. */
export interface LoadedRule extends Rule {
  readonly zone: string
  /** Null: nothing was stored of this version. */
  readonly state: { readonly rule: unknown; readonly offsetMs: number } | null
}

/** The rules of machines with their states; of all of them where none is named. */
export async function loadRules(db: Database, machineId?: number): Promise<LoadedRule[]> {
  const { rows } = await sql<LoadedRule>`
    select rules.id, rules.machine_id as "machineId", rules.level, condition, on_delay as "onDelay",
           off_delay as "offDelay", rules.text, rules.instruction, active_hours as "activeHours", rules.version,
           rules.updated_at as "updatedAt", machines.time_zone as zone, states.state
    from alarm_rules rules join machines on machines.id = rules.machine_id
    left join alarm_rule_states states on states.rule_id = rules.id and states.version = rules.version
    ${machineId === undefined ? sql`` : sql`where rules.machine_id = ${machineId}`}
    order by rules.id`.execute(db)
  return rows
}

export interface Position {
  /** Everything that was received before is in the states. */
  readonly receivedAt: Date
  readonly writtenAt: Date
}

/** How far a node had evaluated. */
export async function findPosition(db: Database, nodeId: string): Promise<Position | undefined> {
  return db
    .selectFrom('alarm_rule_positions')
    .select(['received_at as receivedAt', 'written_at as writtenAt'])
    .where('node_id', '=', nodeId)
    .executeTakeFirst()
}

/** What is written of a rule: its state, and the alarms that came of it since the last writing. */
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
 * that were edited or removed meanwhile are left out. The locks are taken in the order in which an edit takes them.
 */
export async function writeOutcomes(
  db: Database,
  writes: readonly RuleWrite[],
  options: {
    readonly facts: AlarmFacts
    readonly at: Date
    readonly position?: { readonly nodeId: string; readonly receivedAt: Date } | undefined
  },
): Promise<void> {
  const { facts, at, position } = options
  await withClient(db, async (client) => {
    const versions = await beginWithRules(client, writes)
    try {
      const kept = writes.filter(({ ruleId, version }) => versions.get(ruleId) === version)
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
          [position.nodeId, position.receivedAt, at],
        )
      }
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  })
}

/**
 * Begins a transaction and holds rules with their machines until its end; answers the version of each. The statements go
 * in one message: an alarm waits for each way to the database.
 */
async function beginWithRules(
  client: pg.ClientBase,
  writes: readonly RuleWrite[],
): Promise<ReadonlyMap<number, number>> {
  const arrayOf = (ids: readonly number[]) => `array[${ids.map(Number).join()}]::bigint[]`
  // Several results: of each statement one.
  const results = (await client.query(
    `begin;
     with held as materialized (
       select id from machines where id = any(${arrayOf(writes.map(({ machineId }) => machineId))}) order by id
       for key share
     )
     select id, version from alarm_rules
     where id = any(${arrayOf(writes.map(({ ruleId }) => ruleId))}) and (select count(*) from held) >= 0
     order by id for share`,
  )) as unknown as readonly pg.QueryResult<{ id: number; version: number }>[]
  return new Map(results.flatMap(({ rows }) => rows).map(({ id, version }) => [id, version]))
}
