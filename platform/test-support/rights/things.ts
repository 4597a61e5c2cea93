import { randomUUID } from 'node:crypto'
import { timing } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createUser, type TestUser } from '@busbar/testkit'
import { sql } from 'kysely'

async function idOf(row: Promise<{ id: number }>): Promise<number> {
  return (await row).id
}

export const createGroup = (db: Database, eid: number, name: string) =>
  idOf(
    db
      .insertInto('enterprise_groups')
      .values({ enterprise_id: eid, name })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

export const createTag = (db: Database, machineId: number, name: string) =>
  idOf(
    db
      .insertInto('tags')
      .values({ machine_id: machineId, group_name: '', name, type: 'float64' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

export const createInvitation = (db: Database, from: { eid: number; owner: TestUser }, userId: number) =>
  idOf(
    db
      .insertInto('enterprise_invitations')
      .values({
        enterprise_id: from.eid,
        user_id: userId,
        invited_by: from.owner.userId,
        role: 'member',
        created_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

export const createHandover = (db: Database, from: { eid: number; owner: TestUser }, userId: number) =>
  idOf(
    db
      .insertInto('enterprise_handovers')
      .values({
        enterprise_id: from.eid,
        to_user_id: userId,
        asked_by: from.owner.userId,
        asked_at: new Date(),
        expires_at: new Date(Date.now() + 3_600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

export const createWindow = (
  db: Database,
  of: { eid: number; machineId: number; requestedBy: number; reason: string },
) =>
  idOf(
    db
      .insertInto('maintenance_windows')
      .values({
        enterprise_id: of.eid,
        machine_id: of.machineId,
        requested_by: of.requestedBy,
        start_at: new Date(),
        stop_at: new Date(Date.now() + 3_600_000),
        scopes: ['view'],
        reason: of.reason,
        created_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

export const createVisit = (db: Database, visitor: TestUser, machineId: number) => {
  const startedAt = Date.now()
  return idOf(
    db
      .insertInto('visits')
      .values({
        user_id: visitor.userId,
        session_id: visitor.sessionId,
        machine_id: machineId,
        target: 'page',
        address: '127.0.0.1',
        started_at: new Date(startedAt),
        ends_at: new Date(startedAt + timing.visitMaxMs),
        active_at: new Date(startedAt),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}

export const createFriend = (db: Database, userId: number, friendId: number) =>
  db.insertInto('friends').values({ user_id: userId, friend_id: friendId, created_at: new Date() }).execute()

/** The fields with which a call names a person. */
export const namings = ['by account', 'as a friend'] as const
export type Naming = (typeof namings)[number]

/** A receiver, and the fields with which a call names them. */
export async function createReceiver(
  { db }: { db: Database },
  { giver }: { giver: TestUser },
  by: Naming,
): Promise<{ user: TestUser; named: { account: string } | { userId: number } }> {
  const user = await createUser(db)
  if (by === 'by account') return { user, named: { account: user.email } }
  await createFriend(db, giver.userId, user.userId)
  return { user, named: { userId: user.userId } }
}

export const createUserGroup = (db: Database, userId: number, name: string) =>
  idOf(
    db
      .insertInto('machine_groups')
      .values({ user_id: userId, name })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** A message about a machine, unread. */
export const createMessage = (db: Database, userId: number, machineId: number) =>
  idOf(
    db
      .insertInto('messages')
      .values({ user_id: userId, tab: 'device', type: 'tagLimit', machine_id: machineId })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** An alarm that stands, unconfirmed. */
export const createAlarm = (db: Database, machineId: number, text: string) => {
  const at = new Date()
  return idOf(
    db
      .insertInto('alarms')
      .values({
        machine_id: machineId,
        key: randomUUID(),
        level: 'minor',
        text: JSON.stringify({ cn: text, en: text }),
        raised_at: at,
        received_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}

/** A shelving of all alarms of a machine, in force for an hour. */
export const createShelve = (db: Database, machineId: number, reason: string) =>
  idOf(
    db
      .insertInto('alarm_shelves')
      .values({
        machine_id: machineId,
        kind: 'shelved',
        scope: 'machine',
        until: new Date(Date.now() + 3_600_000),
        reason,
        created_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** A rule of a machine that raises alarms. */
export const createRule = (db: Database, machineId: number, text: string) =>
  idOf(
    db
      .insertInto('alarm_rules')
      .values({
        machine_id: machineId,
        level: 'info',
        condition: sql`${JSON.stringify({ kind: 'noData', tag: { group: '', name: 'none' }, seconds: 60 })}::jsonb`,
        on_delay: 0,
        off_delay: 0,
        text: sql`${JSON.stringify({ cn: text, en: text })}::jsonb`,
        created_at: new Date(),
        updated_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** A contact of a person that is another one with an account, asked for reports. */
export const createReportRequest = (db: Database, fromUserId: number, userId: number) =>
  idOf(
    db
      .insertInto('alarm_contacts')
      .values({
        ...{ user_id: fromUserId, account_id: userId, name: '', email: '', lang: 'en' },
        ...{ asked_at: new Date(), created_at: new Date() },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** An unconfirmed contact of a person or an enterprise. */
export const createContact = (
  db: Database,
  owner: { readonly userId: number } | { readonly eid: number },
  name: string,
) =>
  idOf(
    db
      .insertInto('alarm_contacts')
      .values({
        ...('eid' in owner ? { enterprise_id: owner.eid } : { user_id: owner.userId }),
        name,
        email: `${randomUUID()}@example.test`,
        lang: 'en',
        created_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

const emptyLayout = JSON.stringify({
  variable: { machineType: 'press' },
  range: { lastMs: 3_600_000 },
  tiles: [],
})

export const createBoard = (db: Database, userId: number, name: string) =>
  idOf(
    db
      .insertInto('boards')
      .values({
        user_id: userId,
        name,
        layout: emptyLayout,
        tiles: 0,
        created_at: new Date(),
        updated_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

export const createSite = (db: Database, userId: number, name: string) =>
  idOf(
    db
      .insertInto('sites')
      .values({
        user_id: userId,
        name,
        ...{ lat: 31.2, lng: 121.5, address: '', radius_m: 200 },
        updated_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

export const createView = (db: Database, userId: number, name: string) =>
  idOf(
    db
      .insertInto('views')
      .values({
        user_id: userId,
        name,
        state: JSON.stringify({ tags: [1], last: 3_600_000 }),
        updated_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** A project of a person; with `member`: another person in it, or invited to it. */
export async function createProject(
  db: Database,
  userId: number,
  name: string,
  member?: { readonly userId: number; readonly isAccepted: boolean },
): Promise<number> {
  const at = new Date()
  const id = await idOf(
    db
      .insertInto('projects')
      .values({ user_id: userId, name, created_at: at })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const place = { project_id: id, invited_at: at }
  const people = [{ ...place, user_id: userId, level: 3, accepted_at: at }]
  if (member)
    people.push({
      ...place,
      user_id: member.userId,
      level: 2,
      accepted_at: (member.isAccepted ? at : null) as Date,
    })
  await db.insertInto('project_members').values(people).execute()
  return id
}

/** A destination of a project that is off, at an address that leads nowhere. */
export async function createDestination(db: Database, projectId: number, name: string): Promise<number> {
  const id = await idOf(
    db
      .insertInto('destinations')
      .values({
        ...{ project_id: projectId, name, type: 'webhook', url: 'https://mes.invalid/in', format: 'json' },
        ...{ is_ndjson: false, is_gzip: false, rows_max: 1_000, has_rows: true, events: [], state: 'off' },
        created_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await db.insertInto('destination_lanes').values({ destination_id: id, lane: 0, acked_no: 0 }).execute()
  return id
}

/** A delivery to a destination of a project. */
export async function createDelivery(db: Database, projectId: number, name: string): Promise<number> {
  const destinationId = await createDestination(db, projectId, name)
  return idOf(
    db
      .insertInto('deliveries')
      .values({
        ...{ destination_id: destinationId, at: new Date(), state: 'ok', rows: 1, bytes: 2, attempts: 1 },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}

/** A note of a person on the last minute of a machine. */
export async function createAnnotation(db: Database, machineId: number, userId: number, text: string) {
  const now = new Date()
  const id = await idOf(
    db
      .insertInto('annotations')
      .values({ from_at: now, to_at: now, text, user_id: userId, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await db.insertInto('annotation_machines').values({ machine_id: machineId, annotation_id: id }).execute()
  return id
}

/** An export that has failed. */
export async function createExport(db: Database, userId: number, machineName: string): Promise<string> {
  const wish = {
    tagIds: [],
    from: 0,
    to: 60_000,
    format: 'csv',
    layout: 'long',
    timezone: 'UTC',
    agg: 'avg',
    lang: 'en',
    machines: [{ id: 0, name: machineName }],
  }
  const { id } = await db
    .insertInto('exports')
    .values({
      id: randomUUID(),
      user_id: userId,
      name: `${machineName}.csv`,
      wish: JSON.stringify(wish),
      state: 'failed',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const createReport = (db: Database, userId: number, name: string) =>
  idOf(
    db
      .insertInto('reports')
      .values({
        user_id: userId,
        name,
        content: JSON.stringify({ machineIds: [], tags: [], parts: ['alarms'] }),
        every: 'day',
        weekday: 1,
        month_day: 1,
        hour: 8,
        time_zone: 'UTC',
        formats: ['pdf'],
        lang: 'en',
        created_at: new Date(),
        updated_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** A file of a report, which is gone by now. */
export async function createReportFile(db: Database, userId: number, name: string): Promise<number> {
  const report_id = await createReport(db, userId, name)
  const at = new Date()
  const { id: run_id } = await db
    .insertInto('report_runs')
    .values({ report_id, is_sent: false, from_at: at, to_at: at, queued_at: at, state: 'done' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: version_id } = await db
    .insertInto('report_versions')
    .values({ run_id, is_own: true, machine_ids: [] })
    .returning('id')
    .executeTakeFirstOrThrow()
  return idOf(
    db
      .insertInto('report_files')
      .values({ version_id, format: 'pdf', name, bytes: 1 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}

export const createBoardTemplate = (db: Database, userId: number, name: string) =>
  idOf(
    db
      .insertInto('board_templates')
      .values({
        user_id: userId,
        machine_type: 'press',
        name,
        layout: emptyLayout,
        tiles: 0,
        updated_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** A template of rules that fits a machine. */
export const createTemplate = (db: Database, machineId: number, name: string) =>
  idOf(
    db
      .insertInto('alarm_rule_templates')
      .columns(['user_id', 'enterprise_id', 'machine_type', 'name', 'rules', 'updated_at'])
      .expression((from) =>
        from
          .selectFrom('machines')
          .where('id', '=', machineId)
          .select(['owner_user_id', 'owner_enterprise_id', 'type'])
          .select([sql.lit(name).as('name'), sql`'[]'::jsonb`.as('rules'), sql`now()`.as('at')]),
      )
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** An application that waits. */
export const createApplication = (
  db: Database,
  application: { kind: 'bind' | 'visit'; userId: number; machineId: number; message?: string },
) =>
  idOf(
    db
      .insertInto('applications')
      .values({
        kind: application.kind,
        user_id: application.userId,
        machine_id: application.machineId,
        message: application.message ?? '',
        created_at: new Date(),
        expires_at: new Date(Date.now() + 3_600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** An offer of a machine that waits for an answer. */
export const createOffer = (
  db: Database,
  machineId: number,
  from: number,
  to: number | { readonly eid: number },
) =>
  idOf(
    db
      .insertInto('machine_transfers')
      .values({
        machine_id: machineId,
        from_user_id: from,
        ...(typeof to === 'number' ? { to_user_id: to } : { to_enterprise_id: to.eid }),
        created_at: new Date(),
        expires_at: new Date(Date.now() + 3_600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
