import type { operator as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** A machine type as it is kept. */
export interface TypeRow {
  readonly id: number
  readonly type: string
  readonly name: { readonly cn: string; readonly en: string }
  readonly pattern: string
  readonly picture: string
  readonly place: number
}

/** Every type, in the order they are tried. */
export async function listTypes(db: Db): Promise<TypeRow[]> {
  const rows = await db
    .selectFrom('machine_types')
    .select(['id', 'type', 'name_cn', 'name_en', 'pattern', 'picture', 'place'])
    .orderBy('place')
    .orderBy('id')
    .execute()
  return rows.map(({ name_cn, name_en, ...row }) => ({ ...row, name: { cn: name_cn, en: name_en } }))
}

/** Locks the types against other changes until the transaction ends, because their places depend on each other. */
export async function lockTypes(db: Db): Promise<void> {
  await sql`lock table machine_types in share row exclusive mode`.execute(db)
}

const toColumns = (fields: contract.MachineTypeFields) => ({
  type: fields.type,
  name_cn: fields.name.cn,
  name_en: fields.name.en,
  pattern: fields.pattern,
  picture: fields.picture,
  place: fields.place,
})

/** Keeps a type; answers its id. */
export async function createType(db: Db, fields: contract.MachineTypeFields): Promise<number> {
  const row = await db
    .insertInto('machine_types')
    .values(toColumns(fields))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function updateType(db: Db, id: number, fields: contract.MachineTypeFields): Promise<void> {
  await db.updateTable('machine_types').set(toColumns(fields)).where('id', '=', id).execute()
}

export async function removeType(db: Db, id: number): Promise<void> {
  await db.deleteFrom('machine_types').where('id', '=', id).execute()
}

/** Stores this order of the types, without gaps. */
export async function setPlaces(db: Db, ids: readonly number[]): Promise<void> {
  await sql`
    update machine_types set place = wished.place
    from unnest(${[...ids]}::bigint[]) with ordinality as wished (id, place)
    where machine_types.id = wished.id and machine_types.place <> wished.place`.execute(db)
}

/** The type that a machine was registered with; undefined when no machine has this code. */
export async function findRegisteredType(db: Db, code: string): Promise<string | undefined> {
  const row = await db.selectFrom('machines').select('type').where('code', '=', code).executeTakeFirst()
  return row?.type
}
