import type { enterprises as contract, MemberRight } from '@busbar/contract'
import { sql } from 'kysely'
import { escapeLike } from '../../kernel/database/search.ts'
import { type Db, idsOf, type Trx } from './spaces-store.ts'

const byRole = sql`array_position(array['owner', 'admin', 'member'], member.role)`

export interface MemberRow {
  readonly id: number
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  readonly role: contract.EnterpriseRole
  readonly rights: MemberRight[]
  readonly last_seen_at: Date | null
  readonly leaves_at: Date | null
}

interface MemberPage {
  readonly offset: number
  readonly count: number
  readonly search: string
  /** By account only administrators search: the rest see it masked. */
  readonly searchesAccounts: boolean
}

/** Members, owners and administrators first, and how many fit. */
export async function listMembers(
  db: Db,
  eid: number,
  page: MemberPage,
): Promise<{ rows: MemberRow[]; total: number }> {
  const isSearched = page.search !== ''
  const pattern = `%${escapeLike(page.search.toLowerCase())}%`
  const searched = page.searchesAccounts ? sql`users.search_text` : sql`lower(users.name)`
  // With a search the members are joined first: otherwise every user of the platform would be searched. Few columns:
  // the others are read only for the rows of the page.
  const { rows } = await sql<MemberRow & { total: number | null }>`
    with member as ${isSearched ? sql`materialized` : sql``} (
      select users.id, users.name, member.role${isSearched ? sql`, ${searched} as searched` : sql``}
      from enterprise_members member join users on users.id = member.user_id
      where member.enterprise_id = ${eid}
    ), slice as (
      select id, ${isSearched ? sql`count(*) over ()::int` : sql`null::int`} as total from member
      ${isSearched ? sql`where searched like ${pattern}` : sql``}
      order by ${byRole}, name, id offset ${page.offset} limit ${page.count}
    )
    select users.id, users.name, users.phone, users.email, users.leaves_at, member.role, member.rights,
           slice.total,
           (select max(last_seen_at) from sessions where user_id = users.id) as last_seen_at
    from slice join users on users.id = slice.id
    join enterprise_members member on member.enterprise_id = ${eid} and member.user_id = slice.id
    order by ${byRole}, users.name, users.id`.execute(db)
  if (!isSearched) return { rows, total: await countMembers(db, eid) }
  const total = rows[0]?.total
  if (total || page.offset === 0) return { rows, total: total ?? 0 }
  // Past the last page no row has the total.
  return { rows, total: (await listMembers(db, eid, { ...page, offset: 0, count: 1 })).total }
}

export async function countMembers(db: Db, eid: number): Promise<number> {
  const { count } = await db
    .selectFrom('enterprise_members')
    .select(sql<number>`count(*)`.as('count'))
    .where('enterprise_id', '=', eid)
    .executeTakeFirstOrThrow()
  return count
}

/** Number of owners of an enterprise except one, without those who requested their deletion. */
export async function countStayingOwners(db: Db, eid: number, exceptId: number): Promise<number> {
  const { count } = await db
    .selectFrom('enterprise_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(sql<number>`count(*)`.as('count'))
    .where('member.enterprise_id', '=', eid)
    .where('member.role', '=', 'owner')
    .where('member.user_id', '!=', exceptId)
    .where('users.leaves_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Adds a member; false when they were one. */
export async function createMember(
  trx: Trx,
  member: {
    eid: number
    userId: number
    role: contract.EnterpriseRole
    rights: readonly MemberRight[]
    at: Date
  },
): Promise<boolean> {
  const result = await trx
    .insertInto('enterprise_members')
    .values({
      enterprise_id: member.eid,
      user_id: member.userId,
      role: member.role,
      rights: [...member.rights],
      joined_at: member.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function updateMember(
  trx: Trx,
  eid: number,
  userId: number,
  change: { role: contract.EnterpriseRole; rights: readonly MemberRight[] },
): Promise<void> {
  await trx
    .updateTable('enterprise_members')
    .set({ role: change.role, rights: [...change.rights] })
    .where('enterprise_id', '=', eid)
    .where('user_id', '=', userId)
    .execute()
}

/** Takes a person out of an enterprise and its teams. */
export async function removeMember(trx: Trx, eid: number, userId: number): Promise<void> {
  await trx
    .deleteFrom('enterprise_members')
    .where('enterprise_id', '=', eid)
    .where('user_id', '=', userId)
    .execute()
}

/** Number of members among these people. */
export async function countMembersAmong(db: Db, eid: number, userIds: readonly number[]): Promise<number> {
  const row = await db
    .selectFrom('enterprise_members')
    .select(sql<number>`count(*)`.as('count'))
    .where('enterprise_id', '=', eid)
    .where(sql<boolean>`user_id = any(${idsOf(userIds)})`)
    .executeTakeFirstOrThrow()
  return row.count
}

/** The people in teams of a kind, or in one team; each person once. */
export async function listTeamPeople(
  db: Db,
  eid: number,
  which: { kind: contract.TeamKind; teamId?: number | undefined; machineId?: number | undefined },
) {
  let query = db
    .selectFrom('enterprise_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['users.id', 'users.name', 'users.phone', 'member.role'])
    .where('member.enterprise_id', '=', eid)
    .orderBy(byRole)
    .orderBy('users.name')
    .orderBy('users.id')
  query = query.where((where) => {
    let teams = where
      .selectFrom('enterprise_team_members as mate')
      .innerJoin('enterprise_teams as team', 'team.id', 'mate.team_id')
      .select('mate.user_id')
      .whereRef('mate.user_id', '=', 'member.user_id')
      .where('team.enterprise_id', '=', eid)
      .where('team.kind', '=', which.kind)
    if (which.teamId !== undefined) teams = teams.where('team.id', '=', which.teamId)
    if (which.machineId !== undefined)
      teams = teams
        .innerJoin('enterprise_team_machines as device', 'device.team_id', 'team.id')
        .where('device.machine_id', '=', which.machineId)
    return where.exists(teams)
  })
  return query.execute()
}
export type TeamPersonRow = Awaited<ReturnType<typeof listTeamPeople>>[number]
