import { sql } from 'kysely'
import type { EntryRow } from '../audit/index.ts'
import type { Db } from './operator-store.ts'

type Kind = 'user' | 'enterprise' | 'machine' | 'board' | 'view' | 'report'

/** The things that acts name by an id or a code, by the beginning of the act. Other acts name theirs in words. */
const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/^(enterprise\.)?(machine|maintenance)\./, 'machine'],
  [/^enterprise\.(member|sms)\.|^user\.retention$/, 'user'],
  [/^enterprise\.(update$|retention$|deletion\.|handover\.)/, 'enterprise'],
  [/^board\./, 'board'],
  [/^view\./, 'view'],
  [/^report\./, 'report'],
]

/** The thing that an entry names, if not in words. */
function thingOf({ action, target }: EntryRow): { kind: Kind; key: string } | undefined {
  const kind = kinds.find(([begins]) => begins.test(action))?.[1]
  const key = target.replace(/^report\//, '')
  return kind && /^\d+$/.test(key) ? { kind, key } : undefined
}

/** The names of the things of entries; a thing that is gone has none. */
export async function readTargetNames(db: Db, rows: readonly EntryRow[]): Promise<(row: EntryRow) => string> {
  const keysOf = (kind: Kind) =>
    sql`${[...new Set(rows.map(thingOf).flatMap((thing) => (thing?.kind === kind ? thing.key : [])))]}`
  const found = await sql<{ kind: Kind; key: string; name: string }>`
    select 'user' as kind, id::text as key, name from users where id = any(${keysOf('user')}::bigint[])
    union all select 'enterprise', id::text, name from enterprises where id = any(${keysOf('enterprise')}::bigint[])
    union all select 'machine', code, name from machines where code = any(${keysOf('machine')}::text[])
    union all select 'board', id::text, name from boards where id = any(${keysOf('board')}::bigint[])
    union all select 'view', id::text, name from views where id = any(${keysOf('view')}::bigint[])
    union all select 'report', id::text, name from reports where id = any(${keysOf('report')}::bigint[])`.execute(
    db,
  )
  const names = new Map(found.rows.map(({ kind, key, name }) => [`${kind} ${key}`, name]))
  return (row) => {
    const thing = thingOf(row)
    return (thing && names.get(`${thing.kind} ${thing.key}`)) ?? ''
  }
}
