import { alarmLimits, alarms as contract } from '@busbar/contract'
import { sql } from 'kysely'
import { chooseText } from '../../kernel/choose-text.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { type Access, maySet, type NameReader, personName } from '../access/index.ts'
import { type CentreDeps, findScope, type Reader } from './centre-service.ts'
import { type AlarmScope, isOfScope, nameOfMachine } from './centre-store.ts'
import { endShelve, type ShelvesDeps, shelve } from './shelves-service.ts'
import { isInForce } from './shelves-store.ts'
import { type TagNames, tagOf } from './tag-names.ts'

type Deps = CentreDeps & ShelvesDeps

/** Shelving of alarms, and out of service. */
export function shelvesRoutes(deps: Deps): Binding[] {
  return [
    bind(contract.shelveAlarms, async (input, { user, now }) => ({
      id: await shelve(deps, input, { userId: user.userId, now }),
    })),

    bind(contract.takeAlarmsOutOfService, async (input, { user, now }) => ({
      id: await shelve(deps, input, { userId: user.userId, now }),
    })),

    bind(contract.listShelves, async ({ machineId }, { user, lang, now }) =>
      list(deps, { userId: user.userId, lang, now }, { machineId }, alarmLimits.shelvesPerMachine),
    ),

    bind(contract.listAllShelves, async (input, { user, lang, now }) => {
      const max = alarmLimits.shelvesShown
      const rows = await list(deps, { userId: user.userId, lang, now }, input, max + 1)
      return { list: rows.slice(0, max), isCut: rows.length > max }
    }),

    bind(contract.endShelve, async ({ id }, { user, now }) => {
      await endShelve(deps, id, { userId: user.userId, now })
      return {}
    }),
  ]
}

interface Row {
  id: number
  machine_id: number
  code: string
  machine_name: string
  kind: contract.AlarmShelve['kind']
  scope: contract.AlarmShelve['scope']
  key: string | null
  text: unknown
  rule_id: number | null
  tag_id: number | null
  created_at: Date
  until: Date | null
  reason: string
  by_user_id: number | null
  by: string | null
}

async function list(
  deps: Deps,
  reader: Reader,
  request: Parameters<typeof findScope>[2],
  max: number,
): Promise<contract.AlarmShelve[]> {
  const scope = await findScope(deps, reader, request)
  const rows = await listRows(deps, scope, new Date(reader.now), max)
  const machineIds = [...new Set(rows.map(({ machine_id }) => machine_id))]
  const rights = await deps.access.list(reader.userId, machineIds, reader.now)
  const tags = await deps.tags.listTagNames(rows.flatMap(({ tag_id }) => tag_id ?? []))
  const colleagues = await deps.access.listColleagues(
    reader.userId,
    rows.map(({ by_user_id }) => by_user_id),
  )
  return rows.map((row) => present(row, tags, { ...reader, colleagues }, rights.get(row.machine_id)))
}

async function listRows({ db }: Deps, scope: AlarmScope, at: Date, max: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select shelve.id, shelve.machine_id, machines.code,
           ${nameOfMachine(scope, sql.ref('shelve.machine_id'))} as machine_name, shelve.kind, shelve.scope, shelve.key,
           latest.text, shelve.rule_id, shelve.tag_id, shelve.created_at,
           shelve.until, shelve.reason, shelve.by_user_id, person.name as by
    from (select *, created_at as received_at from alarm_shelves) shelve
    join machines on machines.id = shelve.machine_id
    left join users person on person.id = shelve.by_user_id
    left join lateral (
      select text from alarms where shelve.scope = 'alarm' and alarms.machine_id = shelve.machine_id
        and rule_id is null and alarms.key = shelve.key order by raised_at desc limit 1
    ) latest on true
    where ${isInForce('shelve', at)} and ${isOfScope(scope, 'shelve')}
    order by shelve.created_at desc, shelve.id desc limit ${max}`.execute(db)
  return rows
}

function present(
  row: Row,
  tags: TagNames,
  reader: NameReader,
  own: Access | undefined,
): contract.AlarmShelve {
  const { lang } = reader
  return {
    id: row.id,
    machineId: row.machine_id,
    machineCode: row.code,
    machineName: row.machine_name,
    kind: row.kind,
    scope: row.scope,
    key: row.key,
    text: row.scope === 'alarm' ? chooseText(row.text, lang) : null,
    ruleId: row.rule_id,
    tagId: row.tag_id,
    tag: tagOf(row.tag_id, tags, lang),
    at: row.created_at.getTime(),
    until: row.until?.getTime() ?? null,
    reason: row.reason,
    by: personName(reader, own, { userId: row.by_user_id, name: row.by }),
    mayEnd: maySet(own, 'alarm'),
  }
}
