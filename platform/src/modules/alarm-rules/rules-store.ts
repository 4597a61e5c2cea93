import type { alarmRules as contract, machines } from '@busbar/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { StoredCondition } from './rule-condition.ts'

type Db = Kysely<DB>

/** The contents of a rule, without its machine and its id. */
export interface RuleBody {
  readonly condition: StoredCondition
  readonly level: machines.AlarmLevel
  readonly onDelay: number
  readonly offDelay: number
  readonly text: { readonly cn: string; readonly en: string }
  readonly instruction: string | null
  readonly activeHours: contract.ActiveHours | null
}

/** A rule as it is stored. */
export interface Rule extends RuleBody {
  readonly id: number
  readonly machineId: number
  /** Grows with each change of the evaluated fields. */
  readonly version: number
  readonly updatedAt: Date
}

/** A rule with the details of its page. */
export interface ShownRule extends Rule {
  readonly isActive: boolean
  readonly raisedAt: Date | null
}

/** The columns of a rule, of a table `rules`. */
export const ruleColumns = `rules.id, rules.machine_id as "machineId", rules.level, rules.condition, rules.on_delay as "onDelay",
  rules.off_delay as "offDelay", rules.text, rules.instruction, rules.active_hours as "activeHours", rules.version,
  rules.updated_at as "updatedAt"`

/** The rules of a machine, in the order in which they were made. */
export async function listRules(db: Db, machineId: number): Promise<ShownRule[]> {
  const { rows } = await sql<ShownRule>`
    select ${sql.raw(ruleColumns)}, coalesce(is_active, false) as "isActive", raised_at as "raisedAt"
    from alarm_rules rules
    left join alarm_rule_states states on states.rule_id = rules.id and states.version = rules.version
    where machine_id = ${machineId} order by rules.id`.execute(db)
  return rows
}

/** The machine of a rule. */
export async function findMachineOfRule(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('alarm_rules').select('machine_id').where('id', '=', id).executeTakeFirst()
  return row?.machine_id
}

/** The data of a machine that saving rules needs; its row stays locked, so that two calls count one after the other. */
export async function lockMachine(
  client: pg.ClientBase,
  machineId: number,
): Promise<{ type: string; userId: number | null; enterpriseId: number | null } | undefined> {
  const { rows } = await client.query(
    `select type, owner_user_id as "userId", owner_enterprise_id as "enterpriseId" from machines
     where id = $1 for no key update`,
    [machineId],
  )
  return rows[0]
}

/** The rules of a machine, within the transaction that holds its row. */
export async function readRules(client: pg.ClientBase, machineId: number): Promise<Rule[]> {
  const { rows } = await client.query<Rule>(
    `select ${ruleColumns} from alarm_rules rules where machine_id = $1 order by id for update`,
    [machineId],
  )
  return rows
}

export async function insertRule(
  client: pg.ClientBase,
  machineId: number,
  body: RuleBody,
  at: Date,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `insert into alarm_rules
       (machine_id, level, condition, on_delay, off_delay, text, instruction, active_hours, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id`,
    [machineId, ...valuesOf(body), at],
  )
  return (rows[0] as { id: number }).id
}

/** Adds a rule to a new device of an enterprise that has one for all of them. */
export async function insertRuleOfEnterprise(
  trx: Transaction<DB>,
  enterpriseId: number,
  machineId: number,
  { condition, level, onDelay, offDelay, text }: RuleBody,
  at: Date,
): Promise<void> {
  await sql`
    insert into alarm_rules (machine_id, level, condition, on_delay, off_delay, text, created_at, updated_at)
    select ${machineId}, ${level}, ${JSON.stringify(condition)}::jsonb, ${onDelay}, ${offDelay},
      ${JSON.stringify(text)}::jsonb, ${at}, ${at}
    from enterprises where id = ${enterpriseId} and has_away_rules`.execute(trx)
}

/** Changes a rule; `isAnother`: the evaluated fields changed, so the stored state is useless. */
export async function updateRule(
  client: pg.ClientBase,
  id: number,
  body: RuleBody,
  isAnother: boolean,
  at: Date,
): Promise<void> {
  await client.query(
    `update alarm_rules set level = $2, condition = $3, on_delay = $4, off_delay = $5, text = $6, instruction = $7,
       active_hours = $8, version = version + $9, updated_at = $10 where id = $1`,
    [id, ...valuesOf(body), isAnother ? 1 : 0, at],
  )
  if (isAnother) await client.query('delete from alarm_rule_states where rule_id = $1', [id])
}

export async function deleteRule(client: pg.ClientBase, id: number): Promise<void> {
  await client.query('delete from alarm_rules where id = $1', [id])
}

/** Removes the rules of a machine's former owner. */
export async function deleteRulesOf(trx: Transaction<DB>, machineId: number): Promise<void> {
  await trx.deleteFrom('alarm_rules').where('machine_id', '=', machineId).execute()
}

const valuesOf = (body: RuleBody) => [
  body.level,
  JSON.stringify(body.condition),
  body.onDelay,
  body.offDelay,
  JSON.stringify(body.text),
  body.instruction,
  body.activeHours && JSON.stringify(body.activeHours),
]

/** The owner of a machine and its type: templates belong to both. */
export interface TemplateScope {
  readonly userId: number | null
  readonly enterpriseId: number | null
  readonly type: string
}

export interface Template {
  readonly id: number
  readonly name: string
  readonly machineType: string
  readonly rules: readonly RuleBody[]
  readonly updatedAt: Date
}

/** The templates that fit a machine: those of its owner for its type. */
export async function listTemplates(db: Db, machineId: number): Promise<Template[]> {
  const { rows } = await sql<Template>`
    select templates.id, templates.name, machine_type as "machineType", rules, updated_at as "updatedAt"
    from alarm_rule_templates templates join machines on machines.id = ${machineId}
      and templates.machine_type = machines.type
      and (templates.user_id = machines.owner_user_id or templates.enterprise_id = machines.owner_enterprise_id)
    order by templates.name, templates.id`.execute(db)
  return rows
}

/** Stores rules under a name, and replaces those that had it; undefined if there is no room for another. */
export async function saveTemplate(
  client: pg.ClientBase,
  scope: TemplateScope,
  template: { readonly name: string; readonly rules: readonly RuleBody[]; readonly at: Date },
  max: number,
): Promise<number | undefined> {
  const { userId, enterpriseId, type } = scope
  const { rows } = await client.query<{ id: number }>(
    `insert into alarm_rule_templates (user_id, enterprise_id, machine_type, name, rules, updated_at)
     select $1, $2, $3, $4, $5, $6
     where (select count(*) from alarm_rule_templates
            where user_id is not distinct from $1 and enterprise_id is not distinct from $2 and machine_type = $3
              and name <> $4) < $7
     on conflict (user_id, enterprise_id, machine_type, name)
       do update set rules = excluded.rules, updated_at = excluded.updated_at
     returning id`,
    [userId, enterpriseId, type, template.name, JSON.stringify(template.rules), template.at, max],
  )
  return rows[0]?.id
}

export async function deleteTemplate(db: Db, id: number): Promise<void> {
  await db.deleteFrom('alarm_rule_templates').where('id', '=', id).execute()
}

/** The time zone of a machine. */
export async function findZone(db: Db, machineId: number): Promise<string> {
  const row = await db
    .selectFrom('machines')
    .select('time_zone')
    .where('id', '=', machineId)
    .executeTakeFirst()
  return row?.time_zone ?? 'Asia/Shanghai'
}
