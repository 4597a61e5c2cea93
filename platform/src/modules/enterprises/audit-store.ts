import { sql } from 'kysely'
import { isFound } from '../../kernel/database/search.ts'
import type { Db } from './spaces-store.ts'

/** Members and machines of an enterprise that a search means. */
export async function findInSpace(db: Db, eid: number, search: string) {
  const [members, machines] = await Promise.all([
    db
      .selectFrom('enterprise_members as member')
      .innerJoin('users', 'users.id', 'member.user_id')
      .select('users.id')
      .where('member.enterprise_id', '=', eid)
      .where(isFound('users', sql.ref('users.search_text'), search))
      .execute(),
    db
      .selectFrom('enterprise_machines as device')
      .innerJoin('machines', 'machines.id', 'device.machine_id')
      .select('machines.code')
      .where('device.enterprise_id', '=', eid)
      .where(sql<boolean>`strpos(lower(device.name), lower(${search})) > 0`)
      .execute(),
  ])
  return { userIds: members.map(({ id }) => id), codes: machines.map(({ code }) => code) }
}

/** Names of people, and which of them are the enterprise's own. */
export async function listPeople(db: Db, eid: number, userIds: readonly number[]) {
  return db
    .selectFrom('users')
    .leftJoin('enterprise_members as member', (join) =>
      join.onRef('member.user_id', '=', 'users.id').on('member.enterprise_id', '=', eid),
    )
    .select(['users.id', 'users.name', sql<boolean>`member.user_id is not null`.as('isMember')])
    .where(sql<boolean>`users.id = any(${userIds}::bigint[])`)
    .execute()
}

/** Names that an enterprise gave to machines, by their ids or codes. */
export async function listMachineNames(
  db: Db,
  eid: number,
  { ids, codes }: { ids: readonly number[]; codes: readonly string[] },
) {
  return db
    .selectFrom('enterprise_machines as device')
    .innerJoin('machines', 'machines.id', 'device.machine_id')
    .select(['machines.id', 'machines.code', 'device.name'])
    .where('device.enterprise_id', '=', eid)
    .where(sql<boolean>`(machines.id = any(${ids}::bigint[]) or machines.code = any(${codes}::text[]))`)
    .execute()
}
