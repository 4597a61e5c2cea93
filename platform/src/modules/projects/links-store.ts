import type { projects as contract } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { AccessPort } from '../access/index.ts'
import { nameFor } from '../machine-names/index.ts'
import type { LinkFacts } from './projects-rules.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** Which links: these, and those of these projects, machines or people. */
export interface LinkChoice {
  readonly linkIds?: readonly number[]
  readonly projectIds?: readonly number[]
  readonly machineIds?: readonly number[]
  /** The members who stand for them. */
  readonly userIds?: readonly number[]
}

/** A link with what its state is decided by, and its project's plan. */
export interface LinkRow extends LinkFacts {
  readonly linkId: number
  readonly projectId: number
  readonly machineId: number
  readonly machineCode: string
  /** As the member who stands for it calls the machine. */
  readonly machineName: string
  readonly linkedBy: number | null
  readonly linkedAt: Date
  readonly everyS: number
  readonly variables: contract.VariableChoice
  readonly mayWrite: boolean
  readonly mayVisit: boolean
}

/** The next links of all projects. */
export interface LinkPage {
  readonly after: number
  readonly count: number
}

type StoredLink = Omit<LinkRow, 'hasKey'>

/** Links as they are now, by id. The rights are asked with one query for all of them. */
export async function listLinks(
  db: Db,
  access: AccessPort,
  choice: LinkChoice | LinkPage,
  now: number,
): Promise<LinkRow[]> {
  const { rows } = await sql<StoredLink>`
    select link.id as "linkId", link.project_id as "projectId", link.machine_id as "machineId",
      machines.code as "machineCode", ${nameFor(sql.ref('link.linked_by'), sql.ref('link.machine_id'))} as "machineName",
      link.linked_by as "linkedBy", link.linked_at as "linkedAt", link.stop, project.every_s as "everyS", project.variables,
      project.enterprise_id is null or space.state = 'active' and space.enable_project as "isOpen",
      project.is_reporting and not project.is_stopped_by_operator as "isReporting",
      case person.state when 'active' then 'active' else case when person.id is null then 'gone' else 'away' end end
        as person,
      member.accepted_at is not null and (project.enterprise_id is null or mate.user_id is not null) as "isMember",
      project.enterprise_id is null or device.id is not null as "isDevice",
      coalesce(consent.may_write and project.may_write, false) as "mayWrite",
      coalesce(consent.may_visit and project.may_embed, false) as "mayVisit"
    from project_machines link
    join projects project on project.id = link.project_id
    join machines on machines.id = link.machine_id
    left join enterprises space on space.id = project.enterprise_id
    left join users person on person.id = link.linked_by
    left join project_members member on member.project_id = link.project_id and member.user_id = link.linked_by
    left join enterprise_members mate
      on mate.enterprise_id = project.enterprise_id and mate.user_id = link.linked_by
    left join enterprise_machines device
      on device.enterprise_id = project.enterprise_id and device.machine_id = link.machine_id
      and device.kind = case project.type when 1 then 'owned' else 'maintained' end
    left join project_consents consent on consent.link_id = link.id
    where ${isChosen(choice)} order by link.id ${'count' in choice ? sql`limit ${choice.count}` : sql``}`.execute(
    db,
  )
  const pairs = rows.flatMap(({ linkedBy, machineId, stop }) =>
    linkedBy === null || stop !== null ? [] : [{ userId: linkedBy, machineId }],
  )
  const keys = new Set(
    (await access.on(db).listPairs(pairs, now))
      .filter((pair) => pair.access.rights.has('bkey+'))
      .map((pair) => `${pair.userId} ${pair.machineId}`),
  )
  return rows.map((row) => ({ ...row, hasKey: keys.has(`${row.linkedBy} ${row.machineId}`) }))
}

function isChosen(choice: LinkChoice | LinkPage): RawBuilder<boolean> {
  if ('count' in choice) return sql`link.id > ${choice.after}`
  const { linkIds = [], projectIds = [], machineIds = [], userIds = [] } = choice
  return sql`(link.id = any(${[...linkIds]}::bigint[]) or link.project_id = any(${[...projectIds]}::bigint[])
    or link.machine_id = any(${[...machineIds]}::bigint[]) or link.linked_by = any(${[...userIds]}::bigint[]))`
}

/** Locks links against other changes. */
export async function lockLinks(trx: Db, linkIds: readonly number[]): Promise<void> {
  await sql`select from project_machines where id = any(${[...linkIds]}::bigint[]) order by id for no key update`.execute(
    trx,
  )
}

/** A link that ended. */
export interface StoppedLink {
  readonly linkId: number
  readonly projectId: number
  readonly machineId: number
  readonly stop: contract.LinkStop
}

/** Ends links, each for its reason, that have not ended yet; answers those that did. */
export async function stopLinks(
  trx: Db,
  links: readonly Pick<StoppedLink, 'linkId' | 'stop'>[],
  at: Date,
): Promise<StoppedLink[]> {
  const { rows } = await sql<StoppedLink>`
    update project_machines set stop = given.stop, ended_at = ${at}
    from unnest(${links.map(({ linkId }) => linkId)}::bigint[], ${links.map(({ stop }) => stop)}::text[])
      as given (id, stop)
    where project_machines.id = given.id and project_machines.stop is null
    returning project_machines.id as "linkId", project_id as "projectId", machine_id as "machineId", project_machines.stop`.execute(
    trx,
  )
  return rows
}

/** A machine of a project in its list. */
export interface ListedLink extends LinkRow {
  /** The member who stands for it; empty when their account is gone. */
  readonly addedBy: string
  readonly addedAt: Date
}

/** The names and times that lists of links show beside their state. */
export async function listLinkDetails(
  db: Db,
  linkIds: readonly number[],
): Promise<Map<number, { readonly addedBy: string; readonly addedAt: Date }>> {
  const { rows } = await sql<{ id: number; addedBy: string; addedAt: Date }>`
    select link.id, coalesce(users.name, '') as "addedBy", link.linked_at as "addedAt"
    from project_machines link left join users on users.id = link.linked_by
    where link.id = any(${[...linkIds]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...details }) => [id, details]))
}

/** A project that has a machine, for the machine's keys. */
export interface ProjectOfMachine {
  readonly linkId: number
  readonly id: number
  readonly name: string
  readonly owner: string
  readonly ownerId: number | null
  readonly addedBy: string
  readonly addedAt: Date
  readonly stop: contract.LinkStop | null
  readonly write: boolean
  readonly visit: boolean
  readonly wantsWrite: boolean
  readonly wantsVisit: boolean
  readonly consentBy: string | null
  readonly consentAt: Date | null
}

/** The projects of a machine that its present owner's keys see: one that ended with a former owner is not theirs. */
export async function listOfMachine(db: Db, machineId: number): Promise<ProjectOfMachine[]> {
  const { rows } = await sql<ProjectOfMachine>`
    select link.id as "linkId", project.id, project.name, coalesce(boss.name, '') as owner, boss.id as "ownerId",
      coalesce(adder.name, '') as "addedBy", link.linked_at as "addedAt", link.stop,
      coalesce(consent.may_write, false) as write, coalesce(consent.may_visit, false) as visit,
      project.may_write as "wantsWrite", project.may_embed as "wantsVisit",
      case when consent.link_id is not null then coalesce(giver.name, '') end as "consentBy", consent.at as "consentAt"
    from project_machines link
    join projects project on project.id = link.project_id
    left join project_members owning on owning.project_id = project.id and owning.level = 3
    left join users boss on boss.id = owning.user_id
    left join users adder on adder.id = link.linked_by
    left join project_consents consent on consent.link_id = link.id
    left join users giver on giver.id = consent.by_user_id
    where link.machine_id = ${machineId} and link.stop is distinct from 'ownerChanged'
    order by link.id`.execute(db)
  return rows
}

/**
 * A machine's link to a project, locked: a change of the machine's owner must not end it unseen. Undefined when the machine
 * is not in the project.
 */
export async function findLink(trx: Db, projectId: number, machineId: number) {
  const row = await trx
    .selectFrom('project_machines as link')
    .innerJoin('machines', 'machines.id', 'link.machine_id')
    .select(['link.id', 'link.stop', 'link.linked_by as linkedBy', 'machines.code as machineCode'])
    .where('link.project_id', '=', projectId)
    .where('link.machine_id', '=', machineId)
    .forNoKeyUpdate('link')
    .executeTakeFirst()
  return row && { ...row, stop: row.stop as contract.LinkStop | null }
}

export async function countLinks(db: Db, projectId: number): Promise<number> {
  const row = await db
    .selectFrom('project_machines')
    .select(sql<number>`count(*)`.as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function createLink(
  trx: Db,
  link: {
    readonly projectId: number
    readonly machineId: number
    readonly linkedBy: number
    readonly at: Date
  },
): Promise<void> {
  await trx
    .insertInto('project_machines')
    .values({
      project_id: link.projectId,
      machine_id: link.machineId,
      linked_by: link.linkedBy,
      linked_at: link.at,
    })
    .execute()
}

/** Lets another member stand for a link, which then goes on. */
export async function takeLink(trx: Db, id: number, userId: number): Promise<void> {
  await trx
    .updateTable('project_machines')
    .set({ linked_by: userId, stop: null, ended_at: null })
    .where('id', '=', id)
    .execute()
}

export async function deleteLink(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('project_machines').where('id', '=', id).execute()
}

/** Ends every link of a machine that has another owner, with what its former owner allowed. */
export async function stopForNextOwner(trx: Db, machineId: number, at: Date): Promise<StoppedLink[]> {
  await sql`delete from project_consents where link_id in (
    select id from project_machines where machine_id = ${machineId})`.execute(trx)
  // One that ended before ends for the next owner as well: a member must not take their rows over.
  const { rows } = await sql<StoppedLink>`
    update project_machines set stop = 'ownerChanged', ended_at = ${at}
    where machine_id = ${machineId} and stop is distinct from 'ownerChanged'
    returning id as "linkId", project_id as "projectId", machine_id as "machineId", stop`.execute(trx)
  return rows
}

export async function setConsent(
  trx: Db,
  linkId: number,
  consent: { readonly write: boolean; readonly visit: boolean; readonly by: number; readonly at: Date },
): Promise<void> {
  const values = {
    may_write: consent.write,
    may_visit: consent.visit,
    by_user_id: consent.by,
    at: consent.at,
  }
  await trx
    .insertInto('project_consents')
    .values({ link_id: linkId, ...values })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet(values))
    .execute()
}

/** As `findLink`. Throws 404 when the machine is not in the project. */
export async function getLink(trx: Db, projectId: number, machineId: number) {
  const link = await findLink(trx, projectId, machineId)
  if (!link) throw new Failure('404')
  return link
}

/** Whether a machine is a device of a project's enterprise, in the way that its type says. */
export async function isDeviceOf(
  db: Db,
  { enterpriseId, type }: { readonly enterpriseId: number | null; readonly type: number | null },
  machineId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('enterprise_machines')
    .select('id')
    .where('enterprise_id', '=', enterpriseId)
    .where('machine_id', '=', machineId)
    .where('kind', '=', type === 1 ? 'owned' : 'maintained')
    .executeTakeFirst()
  return row !== undefined
}
