import { projects as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { ListProjects, NamedProject } from '../machine-lists/index.ts'
import { columnsOf, isOf, type Space, type SpaceIds } from '../spaces/index.ts'
import type { Db } from './links-store.ts'
import { monthKey } from './projects-rules.ts'

const dayMs = 86_400_000

/** A project with the counts and names that lists show. */
export interface ProjectRow extends SpaceIds {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly type: contract.ProjectType | null
  readonly isReporting: boolean
  readonly isPictureShown: boolean
  readonly mayWrite: boolean
  readonly mayEmbed: boolean
  readonly isStopped: boolean
  readonly serverId: number | null
  readonly everyS: number
  readonly variables: contract.VariableChoice
  readonly origins: string[]
  readonly createdAt: Date
  /** The name of the owner; empty where their account is gone. */
  readonly owner: string
  readonly ownerId: number | null
  readonly people: number
  readonly machines: number
  /** Machines whose rows have not ended. */
  readonly linked: number
  /** Rows of the month. */
  readonly rows: number
  /** A program asked for its rows within the last day. */
  readonly isFetched: boolean
}

/** The reader's own place in it. */
export interface Place {
  readonly level: 2 | 3
  readonly isAccepted: boolean
  readonly invitedBy: string | null
}

export const columns = sql`project.id, project.user_id as "userId", project.enterprise_id as "enterpriseId", project.name,
  project.description, project.type, project.is_reporting as "isReporting",
  project.is_picture_shown as "isPictureShown", project.may_write as "mayWrite", project.may_embed as "mayEmbed",
  project.is_stopped_by_operator as "isStopped", project.server_id as "serverId", project.every_s as "everyS",
  project.variables, project.origins, project.created_at as "createdAt", boss.user_id as "ownerId",
  coalesce((select users.name from users where users.id = boss.user_id), '') as owner,
  (select count(*)::int from project_members member where member.project_id = project.id) as people,
  (select count(*)::int from project_machines link where link.project_id = project.id) as machines,
  (select count(*)::int from project_machines link where link.project_id = project.id and link.stop is null) as linked`

export const owners = sql`left join project_members boss on boss.project_id = project.id and boss.level = 3`

/** How a project's rows go out, at an instant. */
export const useOf = (now: number) => sql`coalesce((select rows from project_usage usage
    where usage.project_id = project.id and usage.month = ${monthKey(now)}), 0)::float8 as rows,
  coalesce((select bool_or(key.last_fetched_at > ${new Date(now - dayMs)}) from project_keys key
    where key.project_id = project.id), false) as "isFetched"`

/** Where a project is one that its members can use: a person's, or one of an active enterprise that has projects. */
const isOpen = sql`(project.enterprise_id is null or exists (select from enterprises space
  where space.id = project.enterprise_id and space.state = 'active' and space.enable_project))`

/** The projects of a space in which a person is, or is invited to, by name; with an id: that one, of any space. */
export async function listProjects(
  db: Db,
  userId: number,
  which: { readonly id: number } | { readonly space: Space; readonly type: number | undefined },
  now: number,
): Promise<(ProjectRow & Place)[]> {
  const chosen =
    'id' in which
      ? sql`project.id = ${which.id}`
      : 'userId' in which.space
        ? sql`project.enterprise_id is null`
        : sql`${isOf(which.space, 'project')} ${which.type === undefined ? sql`` : sql`and project.type = ${which.type}`}`
  const { rows } = await sql<ProjectRow & Place>`
    select ${columns}, ${useOf(now)}, own.level, own.accepted_at is not null as "isAccepted",
      case when own.accepted_at is null then coalesce((
        select users.name from users where users.id = own.invited_by), '') end as "invitedBy"
    from project_members own join projects project on project.id = own.project_id ${owners}
    left join enterprise_members mate on mate.enterprise_id = project.enterprise_id and mate.user_id = own.user_id
    where own.user_id = ${userId} and ${chosen} and ${isOpen}
      and (project.enterprise_id is null or mate.user_id is not null)
    order by lower(project.name), project.id`.execute(db)
  return rows
}

/** A person's level in a project that is open to them; undefined for everybody else, and before they accept. */
export async function findLevel(db: Db, userId: number, projectId: number): Promise<2 | 3 | undefined> {
  const { rows } = await sql<{ level: 2 | 3 }>`
    select own.level from project_members own join projects project on project.id = own.project_id
    left join enterprise_members mate on mate.enterprise_id = project.enterprise_id and mate.user_id = own.user_id
    where own.project_id = ${projectId} and own.user_id = ${userId} and own.accepted_at is not null and ${isOpen}
      and (project.enterprise_id is null or mate.user_id is not null)`.execute(db)
  return rows[0]?.level
}

/** A project's row, whoever asks. */
export async function findProject(db: Db, id: number, now: number): Promise<ProjectRow | undefined> {
  const { rows } = await sql<ProjectRow>`
    select ${columns}, ${useOf(now)} from projects project ${owners} where project.id = ${id}`.execute(db)
  return rows[0]
}

/** The projects of an enterprise of a type whose name, or owner's name, holds a text. */
export async function listOfEnterprise(
  db: Db,
  eid: number,
  userId: number,
  { type, pattern }: { readonly type: number; readonly pattern: string },
  now: number,
): Promise<(ProjectRow & { readonly isMine: boolean; readonly hasOwnerLeft: boolean })[]> {
  const { rows } = await sql<ProjectRow & { isMine: boolean; hasOwnerLeft: boolean }>`
    select found.* from (
      select ${columns}, ${useOf(now)},
        exists (select from project_members own where own.project_id = project.id and own.user_id = ${userId}
          and own.accepted_at is not null) as "isMine",
        not exists (select from enterprise_members mate
          where mate.enterprise_id = project.enterprise_id and mate.user_id = boss.user_id) as "hasOwnerLeft"
      from projects project ${owners}
      where project.enterprise_id = ${eid} and project.type = ${type} and ${isOpen}) found
    where lower(found.name) like ${pattern} or lower(found.owner) like ${pattern}
    order by lower(found.name), found.id`.execute(db)
  return rows
}

/** Locks a project against other changes; undefined when there is none. */
export async function lockProject(trx: Db, id: number) {
  return trx
    .selectFrom('projects')
    .select(['id', 'name', 'user_id as userId', 'enterprise_id as enterpriseId', 'type'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
export type LockedProject = NonNullable<Awaited<ReturnType<typeof lockProject>>>

/** How many projects a person owns. */
export async function countOwned(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('project_members')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .where('level', '=', contract.projectLevels.owner)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function createProject(
  trx: Db,
  space: Space,
  project: {
    readonly name: string
    readonly description: string
    readonly type: contract.ProjectType | null
    readonly serverId: number | null
    readonly at: Date
  },
): Promise<number> {
  const { id } = await trx
    .insertInto('projects')
    .values({
      ...columnsOf(space),
      name: project.name,
      description: project.description,
      type: project.type,
      server_id: project.serverId,
      created_at: project.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Settings that change; undefined: as they are. */
export interface ProjectSettings {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly is_reporting?: boolean | undefined
  readonly is_picture_shown?: boolean | undefined
  readonly may_write?: boolean | undefined
  readonly may_embed?: boolean | undefined
  readonly server_id?: number | null | undefined
  readonly every_s?: number | undefined
  readonly origins?: string[] | undefined
  readonly variables?: contract.VariableChoice | undefined
}

export async function updateProject(trx: Db, id: number, settings: ProjectSettings): Promise<void> {
  const { variables, ...rest } = settings
  const set = {
    ...rest,
    ...(variables === undefined ? {} : { variables: variables && JSON.stringify(variables) }),
  }
  await trx.updateTable('projects').set(set).where('id', '=', id).execute()
}

/** Gives a person's project to another person's space. */
export async function moveToPerson(trx: Db, id: number, userId: number): Promise<void> {
  await trx.updateTable('projects').set({ user_id: userId }).where('id', '=', id).execute()
}

export async function stopProject(trx: Db, id: number, isStopped: boolean): Promise<void> {
  await trx.updateTable('projects').set({ is_stopped_by_operator: isStopped }).where('id', '=', id).execute()
}

export async function deleteProject(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('projects').where('id', '=', id).execute()
}

/** Whether an enterprise is active and has projects; undefined when it is missing or locked. */
export async function hasProjects(db: Db, eid: number): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('enterprises')
    .select('enable_project')
    .where('id', '=', eid)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return row?.enable_project
}

/** The oldest project of each of these machines in which a person is. */
export const listOldest: ListProjects = async (db, userId, machineIds) => {
  const { rows } = await sql<NamedProject & { machineId: number }>`
    select distinct on (link.machine_id) link.machine_id as "machineId", project.id, project.name
    from project_members own
    join projects project on project.id = own.project_id and ${isOpen}
    join project_machines link on link.project_id = project.id and link.stop is null
    left join enterprise_members mate on mate.enterprise_id = project.enterprise_id and mate.user_id = own.user_id
    where own.user_id = ${userId} and own.accepted_at is not null and link.machine_id = any(${machineIds}::bigint[])
      and (project.enterprise_id is null or mate.user_id is not null)
    order by link.machine_id, project.id`.execute(db)
  return new Map(rows.map(({ machineId, ...project }) => [machineId, project]))
}
