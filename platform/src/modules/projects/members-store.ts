import { projects as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { Db } from './links-store.ts'

/** A person of a project, invited or in it. */
export interface MemberRow {
  readonly id: number
  readonly userId: number
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly countryCode: string | null
  readonly level: 2 | 3
  readonly isAccepted: boolean
}

/** People of a project: the owner first, then by name. */
export async function listMembers(db: Db, projectId: number): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select member.id, member.user_id as "userId", users.name, users.email, users.phone,
      users.country_code as "countryCode", member.level, member.accepted_at is not null as "isAccepted"
    from project_members member join users on users.id = member.user_id
    where member.project_id = ${projectId} order by member.level desc, lower(users.name), users.id`.execute(
    db,
  )
  return rows
}

/** The people who are in a project, belong to its enterprise if it has one, and may sign in. */
export async function listMemberIds(db: Db, projectId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select users.id from project_members member
    join projects project on project.id = member.project_id
    join users on users.id = member.user_id and users.state = 'active'
    left join enterprise_members mate
      on mate.enterprise_id = project.enterprise_id and mate.user_id = member.user_id
    where member.project_id = ${projectId} and member.accepted_at is not null
      and (project.enterprise_id is null or mate.user_id is not null)
    order by users.id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findMember(db: Db, projectId: number, userId: number) {
  const row = await db
    .selectFrom('project_members')
    .select(['level', 'accepted_at'])
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && { level: row.level as 2 | 3, isAccepted: row.accepted_at !== null }
}

export async function countMembers(db: Db, projectId: number): Promise<number> {
  const row = await db
    .selectFrom('project_members')
    .select(sql<number>`count(*)`.as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** The owner of a project; undefined when their account is gone. */
export async function findOwner(db: Db, projectId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('project_members')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('level', '=', contract.projectLevels.owner)
    .executeTakeFirst()
  return row?.user_id
}

export async function createMember(
  trx: Db,
  member: {
    readonly projectId: number
    readonly userId: number
    readonly level: 2 | 3
    readonly invitedBy: number | null
    readonly isAccepted: boolean
    readonly at: Date
  },
): Promise<void> {
  await trx
    .insertInto('project_members')
    .values({
      project_id: member.projectId,
      user_id: member.userId,
      level: member.level,
      invited_by: member.invitedBy,
      invited_at: member.at,
      accepted_at: member.isAccepted ? member.at : null,
    })
    .execute()
}

/** Accepts an invitation that waits; false when none does. */
export async function acceptMember(trx: Db, projectId: number, userId: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('project_members')
    .set({ accepted_at: at })
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function removeMember(trx: Db, projectId: number, userId: number): Promise<void> {
  await trx
    .deleteFrom('project_members')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}

/** Gives a project to one of its people; the former owner stays a member. */
export async function changeProjectOwner(trx: Db, projectId: number, userId: number): Promise<void> {
  // One after the other: a project has one owner at most at every moment.
  await trx
    .updateTable('project_members')
    .set({ level: contract.projectLevels.member })
    .where('project_id', '=', projectId)
    .where('level', '=', contract.projectLevels.owner)
    .execute()
  await trx
    .updateTable('project_members')
    .set({ level: contract.projectLevels.owner })
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}

/** The links that a person stands for in a project. */
export async function listLinksBy(trx: Db, projectId: number, userId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('project_machines')
    .select('id')
    .where('project_id', '=', projectId)
    .where('linked_by', '=', userId)
    .where('stop', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** The projects of an enterprise in which a person is. */
export async function listOfMember(trx: Db, eid: number, userId: number) {
  return trx
    .selectFrom('project_members as member')
    .innerJoin('projects', 'projects.id', 'member.project_id')
    .select(['projects.id', 'projects.name', 'member.level'])
    .where('member.user_id', '=', userId)
    .where('projects.enterprise_id', '=', eid)
    .orderBy('projects.id')
    .execute()
}
