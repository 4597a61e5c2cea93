import { type alarmRules as contract, machines, operator } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { escapeLike } from '../../kernel/database/search.ts'
import { type AlarmScope, nameOfMachine } from '../alarms/index.ts'
import { ruleColumns, type ShownRule } from './rules-store.ts'

/** A rule with its machine, as the caller calls it. */
export interface SpaceRule extends ShownRule {
  readonly machineCode: string
  readonly machineName: string
}

/** The rules that are wanted, in which order, and which of them. */
export interface SpaceRulesRequest {
  readonly search?: string | undefined
  readonly level?: contract.AlarmRule['level'] | undefined
  readonly state?: 'active' | 'normal' | undefined
  readonly sort?: contract.AlarmRuleOrder | undefined
  readonly order: 'asc' | 'desc'
  readonly page: number
  readonly pageSize: number
}

interface Found {
  readonly rules: readonly SpaceRule[]
  /** Counted up to one more than `operator.rowsCountedMax`. */
  readonly total: number
}

const isActive = sql`coalesce(states.is_active, false)`
const deviceName = sql`lower(coalesce(nullif(devices.name, ''), devices.code))`
const orders: Readonly<Record<contract.AlarmRuleOrder, RawBuilder<unknown>>> = {
  device: deviceName,
  level: sql`array_position(${[...machines.alarmLevels]}::text[], rules.level)`,
  // Those in alarm come first.
  state: sql`not ${isActive}`,
}

/** A page of the rules of a space's machines, by device unless another order is wished. */
export async function listSpaceRules(
  db: Kysely<DB>,
  scope: AlarmScope,
  { sort = 'device', order, page, pageSize, ...filters }: SpaceRulesRequest,
): Promise<Found> {
  const ids = scope.machines.map(({ machineId }) => machineId)
  // The name of a machine is found once, and not for each of its rules.
  const found = sql`
    with devices as materialized (
      select machines.id, machines.code, ${nameOfMachine(scope, sql.ref('machines.id'))} as name
      from machines where machines.id = any(${ids}::bigint[])
    )
    select ${sql.raw(ruleColumns)}, ${isActive} as "isActive", states.raised_at as "raisedAt",
           devices.code as "machineCode", devices.name as "machineName"
    from alarm_rules rules
    join devices on devices.id = rules.machine_id
    left join alarm_rule_states states on states.rule_id = rules.id and states.version = rules.version
    where rules.machine_id = any(${ids}::bigint[]) and ${conditionOf(filters)}`
  const [listed, counted] = await Promise.all([
    sql<SpaceRule>`${found}
      order by ${orders[sort]} ${sql.raw(order)}, ${deviceName}, rules.machine_id, rules.id
      limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`
      select count(*)::int as total from (${found} limit ${operator.rowsCountedMax + 1}) found`.execute(db),
  ])
  return { rules: listed.rows, total: counted.rows[0]?.total ?? 0 }
}

function conditionOf({ search, level, state }: Pick<SpaceRulesRequest, 'search' | 'level' | 'state'>) {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (level) parts.push(sql`rules.level = ${level}`)
  if (state) parts.push(sql`${isActive} = ${state === 'active'}`)
  if (search) {
    const pattern = `%${escapeLike(search.toLowerCase())}%`
    // The text of a condition is searched first: finding its variables takes far longer.
    parts.push(sql`(devices.code like ${pattern} or lower(devices.name) like ${pattern}
      or lower(rules.instruction) like ${pattern}
      or exists (select from jsonb_each_text(rules.text) said where lower(said.value) like ${pattern})
      or lower(rules.condition::text) like ${pattern} and exists (select from jsonb_path_query(rules.condition, '$.**.tag.name') tag
                 where lower(tag #>> '{}') like ${pattern}))`)
  }
  return sql.join(parts, sql` and `)
}
