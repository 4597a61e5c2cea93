import { CompiledQuery, type Kysely } from 'kysely'
import type { ClientBase } from 'pg'
import type { DB } from '../database/schema.gen.ts'
import type { Fact, NewFact } from './fact-kinds.ts'

/** A transaction of the platform, or a plain client in one. */
export type Recorder = Kysely<DB> | ClientBase

/** A row of `facts`, as far as followers read it. */
export interface FactRow {
  readonly id: number
  readonly kind: string
  readonly machine_id: number | null
  readonly user_id: number | null
  readonly enterprise_id: number | null
  readonly payload: Record<string, unknown>
  readonly at: Date
  readonly xid: string
}

// Ids in the order of the facts; the defaults are taken after the sort.
const insertion = `-- plan: new-facts
  insert into facts (epoch, kind, machine_id, user_id, enterprise_id, payload, at)
  select (select epoch from fact_epoch), kind, machine_id, user_id, enterprise_id, payload, at
  from rows from (jsonb_to_recordset($1::jsonb) as (
    kind text, machine_id bigint, user_id bigint, enterprise_id bigint, payload jsonb, at timestamptz
  )) with ordinality as fact (kind, machine_id, user_id, enterprise_id, payload, at, place)
  order by place
  returning id`

/** Writes facts in one statement; answers them with their ids. */
export async function insertFacts(recorder: Recorder, facts: readonly NewFact[]): Promise<Fact[]> {
  const parameter = toJson(facts.map(toColumns))
  const { rows } = await ('executeQuery' in recorder
    ? recorder.executeQuery<{ id: number }>(CompiledQuery.raw(insertion, [parameter]))
    : recorder.query<{ id: number }>(insertion, [parameter]))
  const ids = rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
  return facts.map((fact, place) => ({ ...fact, id: ids[place] }) as Fact)
}

/** JSON's form of half a surrogate pair, or of NUL: `jsonb` refuses both. */
const unstorable = /\\u(?:d[89a-f]|0000)/

/** As text that `jsonb` accepts, whatever a machine sent: a fact must not undo the change it records. */
function toJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!unstorable.test(json)) return json
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll('\0', '').toWellFormed() : inner,
  )
}

function toColumns({ kind, at, machineId, userId, enterpriseId, ...payload }: NewFact) {
  return {
    kind,
    machine_id: machineId ?? null,
    user_id: userId ?? null,
    enterprise_id: enterpriseId ?? null,
    payload,
    at: new Date(at),
  }
}

/** The fact of a row. The row was typed when it was recorded. */
export function factOf(row: FactRow): Fact {
  return {
    ...row.payload,
    id: row.id,
    kind: row.kind,
    at: row.at.getTime(),
    xid: row.xid,
    ...(row.machine_id === null ? {} : { machineId: row.machine_id }),
    ...(row.user_id === null ? {} : { userId: row.user_id }),
    ...(row.enterprise_id === null ? {} : { enterpriseId: row.enterprise_id }),
  } as unknown as Fact
}
