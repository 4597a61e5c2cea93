import type { Lang } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { readerOf } from '../../reader.ts'

type Db = Kysely<DB>

/** The person or the enterprise that things belong to. */
export type Space = { readonly userId: number } | { readonly enterpriseId: number }

/** The space of a row: one of the two is null. */
export interface SpaceIds {
  readonly userId: number | null
  readonly enterpriseId: number | null
}

export const spaceOf = ({ userId, enterpriseId }: SpaceIds): Space =>
  enterpriseId === null ? { userId: userId as number } : { enterpriseId }

/** The space that a call names: an enterprise, or the caller's own. */
export const spaceOfCall = (userId: number, eid: number | undefined): Space =>
  eid === undefined ? { userId } : { enterpriseId: eid }

export const idsOf = (space: Space): SpaceIds =>
  'userId' in space ? { ...space, enterpriseId: null } : { userId: null, ...space }

/** The columns of a new row of a space. */
export function columnsOf(space: Space) {
  const { userId, enterpriseId } = idsOf(space)
  return { user_id: userId, enterprise_id: enterpriseId }
}

/** Whether a row of a table is of a space. One equality, so that the rows come in the order of an index. */
export const isOf = (space: Space, table: string): RawBuilder<boolean> =>
  'userId' in space
    ? sql`${sql.ref(`${table}.user_id`)} = ${space.userId}`
    : sql`${sql.ref(`${table}.enterprise_id`)} = ${space.enterpriseId}`

/** The space of an act, as the audit log has it. */
export const detailOf = (space: Space): { readonly eid?: number } =>
  'userId' in space ? {} : { eid: space.enterpriseId }

/** Lets one transaction at a time count a space's rows and add to them. */
export async function lockSpace(trx: Db, space: Space): Promise<void> {
  if ('userId' in space) await lockPerson(trx, space.userId)
  else await lockEnterprises(trx, [space.enterpriseId])
}

/** Locks enterprises against changes of their people and things, before a machine's row or a person's. */
export async function lockEnterprises(trx: Db, eids: readonly number[]): Promise<void> {
  if (eids.length === 0) return
  await sql`select id from enterprises where id = any(${[...eids]}::bigint[]) order by id for no key update`.execute(
    trx,
  )
}

/** The name of a person or an enterprise; empty: they are gone. */
export async function findSpaceName(db: Db, space: Space): Promise<string> {
  const row = await ('userId' in space
    ? db.selectFrom('users').select('name').where('id', '=', space.userId).executeTakeFirst()
    : db.selectFrom('enterprises').select('name').where('id', '=', space.enterpriseId).executeTakeFirst())
  return row?.name ?? ''
}

/** The time zone of a space's days; of a person who set none, the usual one of their language. */
export async function findZone(db: Db, space: Space, lang: Lang = 'cn'): Promise<string> {
  const row = await ('userId' in space
    ? db.selectFrom('users').select('time_zone').where('id', '=', space.userId).executeTakeFirst()
    : db
        .selectFrom('enterprises')
        .select('time_zone')
        .where('id', '=', space.enterpriseId)
        .executeTakeFirst())
  return readerOf({ lang, time_zone: row?.time_zone ?? null }).timeZone
}

/** Which of these machines an enterprise owns. */
export async function listOwned(
  db: Db,
  enterpriseId: number,
  machineIds: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select machines.id from machines join enterprises space on space.id = machines.owner_enterprise_id
    where machines.id = any(${[...machineIds]}::bigint[]) and space.id = ${enterpriseId} and space.state = 'active'`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}
