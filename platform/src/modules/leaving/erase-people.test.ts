import { randomBytes, randomUUID } from 'node:crypto'
import { accounts, codes, registration } from '@busbar/contract'
import {
  blacklistUser,
  createEnterprise,
  createMachine,
  createMember,
  grantMachine,
  type TestUser,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readCode, TestBrowser } from '../../../test-support/registration/test-browser.ts'
import {
  createAlarm,
  createApplication,
  createFriend,
  createHandover,
  createInvitation,
  createMessage,
  createOffer,
  createTag,
  createUserGroup,
  createVisit,
  createWindow,
} from '../../../test-support/rights/things.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createMailbox } from '../messages/index.ts'
import { erasePeople } from './erase-people.ts'

const site = useSite()

const hash = () => randomBytes(32)
/** One round; a person who could not be erased fails the test. */
async function erase(): Promise<void> {
  const { db } = site
  const failed: unknown[] = []
  const logger = { ...silentLogger, warn: (what: unknown) => failed.push(what) }
  const mailbox = createMailbox(db)
  await erasePeople({ db, mailbox, facts: site.platform.facts, logger }, Date.now())
  expect(failed).toEqual([])
}

/** As if the time to take the deletion back had run out a while ago. */
const makeDue = (userId: number, leavesAt = new Date(Date.now() - 3_600_000)) =>
  site.db
    .updateTable('users')
    .set({ state: 'leaving', leaves_at: leavesAt })
    .where('id', '=', userId)
    .execute()

/** Every column that refers to a person, with how many rows name this one. */
async function countReferences(userId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ table: string; column: string }>`
    select conrelid::regclass::text as table, attname as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'users'::regclass and cardinality(conkey) = 1`.execute(site.db)
  const counts = new Map<string, number>()
  for (const { table, column } of rows) {
    const found = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${userId}`.execute(
      site.db,
    )
    counts.set(`${table}.${column}`, found.rows[0]?.count ?? 0)
  }
  return counts
}

/** The tables in which a text stands anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition order by 1`.execute(site.db)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: hits } = await sql`
      select 1 from ${sql.table(name)} as one where strpos(one::text, ${text}) > 0 limit 1`.execute(site.db)
    if (hits.length > 0) found.push(name)
  }
  return found
}

/** Leaves a trace of a person in every table about alarms and their notifications. */
async function fillAlarmTables(userId: number, machineId: number, alarmId: number) {
  await sql`
    with shelved as (
      insert into alarm_shelves (machine_id, kind, scope, reason, by_user_id, created_at, ended_at, ended_by, end_reason)
      values (${machineId}, 'outOfService', 'machine', 'Repair', ${userId}, now(), now(), ${userId}, 'person')
    ), event as (
      insert into alarm_events (alarm_id, machine_id, kind, at, received_at, user_id)
      values (${alarmId}, ${machineId}, 'confirmed', now(), now(), ${userId})
    ), template as (
      insert into alarm_rule_templates (user_id, machine_type, name, rules, updated_at)
      values (${userId}, 'chiller', 'Hot', '[]', now())
    ), stock as (
      insert into sms_stocks (user_id, stock, created_at) values (${userId}, 1, now()) returning id
    ), record as (
      insert into sms_stock_records (stock_id, kind, segments, change, remaining, by_user_id, at)
      select id, 'recharge', 1, 1, 1, ${userId}, now() from stock
    ), wish as (
      insert into alarm_settings_user (user_id) values (${userId})
    ), retained as (
      insert into data_retention (user_id, raw_days, minute_days, hour_days, effective_at, created_at)
      values (${userId}, 30, 60, 90, now(), now())
    ), board as (
      insert into boards (user_id, name, layout, tiles, created_at, updated_at, updated_by)
      values (${userId}, 'Line 1', '{}', 0, now(), now(), ${userId}) returning id
    ), boardVersion as (
      insert into board_versions (board_id, version, name, layout, tiles, at, by_user_id)
      select id, 1, 'Line', '{}', 0, now(), ${userId} from board
    ), boardViewer as (
      insert into board_viewers (board_id, user_id, seen_at) select id, ${userId}, now() from board
    ), boardShare as (
      insert into board_shares (board_id, user_id, access, at, by_user_id)
      select id, ${userId}, 'look', now(), ${userId} from board
    ), boardTemplate as (
      insert into board_templates (user_id, machine_type, name, layout, tiles, updated_at)
      values (${userId}, 'chiller', 'Line', '{}', 0, now())
    ), file as (
      insert into files (key, user_id, purpose, name, media_type, state, made_at, written_at, expires_at)
      values ('0', ${userId}, 'export', 'a.csv', 'text/csv', 'failed', now(), now(), now())
    ), view as (
      insert into views (user_id, name, state, updated_at, updated_by)
      values (${userId}, 'Spike', '{}', now(), ${userId})
    ), site as (
      insert into sites (user_id, name, lat, lng, address, radius_m, updated_at, updated_by)
      values (${userId}, 'Hall 1', 31.2, 121.5, '', 200, now(), ${userId}) returning id
    ), siteViewer as (
      insert into site_viewers (site_id, user_id, seen_at) select id, ${userId}, now() from site
    ), annotation as (
      insert into annotations (from_at, to_at, text, user_id, created_at)
      values (now(), now(), 'Worn', ${userId}, now())
    ), exported as (
      insert into exports (id, user_id, name, wish, state, created_at)
      values (gen_random_uuid(), ${userId}, 'a.csv', '{}', 'failed', now())
    ), report as (
      insert into reports (user_id, name, content, every, weekday, month_day, hour, time_zone, formats, lang, created_at,
        updated_at, updated_by)
      values (${userId}, 'Daily', '{}', 'day', 1, 1, 8, 'UTC', '{pdf}', 'en', now(), now(), ${userId}) returning id
    ), reportRecipient as (
      insert into report_recipients (report_id, user_id) select id, ${userId} from report
    ), reportRun as (
      insert into report_runs (report_id, asked_by, is_sent, from_at, to_at, queued_at)
      select id, ${userId}, true, now(), now(), now() from report returning id
    ), reportDelivery as (
      insert into report_deliveries (run_id, user_id, state) select id, ${userId}, 'sent' from reportRun
    ), agentConfig as (
      insert into agent_config_changes (machine_id, change_id, revision, user_id, at, connections, tags)
      values (${machineId}, gen_random_uuid(), 1, ${userId}, now(), 1, 1)
    ), checked as (
      insert into machine_checks (id, machine_id, user_id, started_at)
      values (gen_random_uuid(), ${machineId}, ${userId}, now())
    ), visitor as (
      insert into alarm_visitors (machine_id, user_id) values (${machineId}, ${userId})
    ), contact as (
      insert into alarm_contacts (user_id, name, email, lang, created_at)
      values (${userId}, 'Contact', 'contact@example.test', 'en', now())
    ), ofReports as (
      insert into alarm_contacts (user_id, account_id, name, email, lang, created_at)
      values (${userId}, ${userId}, '', '', 'en', now())
    ), formerContact as (
      insert into former_contacts (contact_id, user_id, address_hash, removed_at) values (1, ${userId}, 'x', now())
    ), asked as (
      insert into alarm_contact_asks (user_id, email_hash, at) values (${userId}, 'x', now())
    ), told as (
      insert into notifications (fact_id, alarm_id, machine_id, user_id, channel, level, state, created_at)
      values (1, ${alarmId}, ${machineId}, ${userId}, 'push', 'major', 'sent', now())
    ), opened as (
      insert into notification_windows (user_id, machine_id, channel, opened_at)
      values (${userId}, ${machineId}, 'push', now())
    ), project as (
      insert into projects (user_id, name, created_at) values (${userId}, 'Line', now()) returning id
    ), projectMember as (
      insert into project_members (project_id, user_id, level, invited_by, invited_at)
      select id, ${userId}, 2, ${userId}, now() from project
    ), projectMachine as (
      insert into project_machines (project_id, machine_id, linked_by, linked_at)
      select id, ${machineId}, ${userId}, now() from project returning id
    ), projectConsent as (
      insert into project_consents (link_id, may_write, may_visit, by_user_id, at)
      select id, true, true, ${userId}, now() from projectMachine
    ), embeddingCode as (
      insert into embedding_codes (code_hash, project_id, link_id, project_key_id, user_id, machine_id, host, expires_at)
      select ${hash()}, 1, id, 1, ${userId}, ${machineId}, '', now() from projectMachine
    ), linked as (
      insert into alarm_links (alarm_id, user_id, token_hash, expires_at)
      values (${alarmId}, ${userId}, ${hash()}, now())
    )
    insert into alarm_messages (user_id, alarm_id, message_id)
    select ${userId}, ${alarmId}, id from messages where user_id = ${userId} limit 1`.execute(site.db)
}

/** Leaves a trace of a person in every table that can hold one. */
async function fillEveryTable(leaver: TestUser, other: TestUser) {
  const { db } = site
  const { userId } = leaver
  const now = new Date()
  const { machineId } = await createMachine(db, { owner: other.userId })
  const own = await createMachine(db, { owner: userId, name: 'Left behind' })
  await grantMachine(db, userId, machineId, { role: 'visitor' })
  await blacklistUser(db, userId, own.machineId)
  const ids = { user_id: userId, machine_id: machineId }
  await db
    .insertInto('machine_blacklist')
    .values({ machine_id: machineId, user_id: userId, created_by: userId })
    .execute()
  await createUserGroup(db, userId, 'A group')
  await createFriend(db, userId, other.userId)
  await createFriend(db, other.userId, userId)
  await createMessage(db, userId, machineId)
  await db
    .insertInto('user_events')
    .values({ user_id: userId, id: 9_000, scene: 6, body: hash(), at: now })
    .execute()
  await db.insertInto('user_event_counts').values({ user_id: userId, last_id: 9_000 }).execute()
  const visitId = await createVisit(db, leaver, machineId)
  const othersVisit = await createVisit(db, other, own.machineId)
  await db
    .updateTable('visits')
    .set({ ended_by: userId, ended_at: now, end_reason: 'key' })
    .where('id', '=', othersVisit)
    .execute()
  await db
    .insertInto('controllers')
    .values({ ...ids, visit_id: visitId, since: now })
    .execute()
  const tagId = await createTag(db, machineId, 'speed')
  const write = { ...ids, tag_id: tagId, visit_id: visitId, source: 'console', at: now, to_value: '1' }
  const { id: writeId } = await db
    .insertInto('writes')
    .values(write)
    .returning('id')
    .executeTakeFirstOrThrow()
  const alarmId = await createAlarm(db, machineId, 'Hot')
  await db
    .updateTable('alarms')
    .set({ confirmed_by: userId, confirmed_at: now })
    .where('id', '=', alarmId)
    .execute()
  await fillAlarmTables(userId, machineId, alarmId)
  await db
    .insertInto('second_factors')
    .values({ user_id: userId, secret_sealed: hash(), created_at: now })
    .execute()
  const job = { id: randomUUID(), address: '::1', state: 'done', lines: 1, done: 1, refused: '[]' }
  await db
    .insertInto('machine_imports')
    .values({ ...job, user_id: userId, created_at: now, ended_at: now })
    .execute()
  await db.insertInto('recovery_codes').values({ user_id: userId, code_hash: hash() }).execute()
  await db.insertInto('machine_password_failures').values(ids).execute()
  const ticket = {
    ...ids,
    session_id: leaver.sessionId,
    ticket_hash: hash(),
    password_hash: 'none',
    expires_at: now,
  }
  await db.insertInto('machine_password_tickets').values(ticket).execute()
  await db
    .insertInto('uploads')
    .values({
      key: hash().toString('hex').slice(0, 32),
      purpose: 'logo',
      user_id: userId,
      kind: 'png',
      content: hash(),
    })
    .execute()
  await db
    .insertInto('self_registered')
    .values({ machine_id: machineId, user_id: userId, kind: 'agent', created_at: new Date() })
    .execute()
  const space = await createEnterprise(db)
  await db
    .insertInto('enterprise_members')
    .values({ enterprise_id: space.eid, user_id: userId, role: 'member' })
    .execute()
  await createMember(db, space.eid, 'member', [])
  const elsewhere = await createEnterprise(db)
  await createInvitation(db, elsewhere, userId)
  await createInvitation(db, { eid: space.eid, owner: leaver }, other.userId)
  await createHandover(db, elsewhere, userId)
  await createHandover(db, { eid: space.eid, owner: leaver }, other.userId)
  const windowId = await createWindow(db, { eid: space.eid, machineId, requestedBy: userId, reason: 'Oil' })
  await db
    .updateTable('maintenance_windows')
    .set({ answered_by: userId, answered_at: now, state: 'accepted' })
    .where('id', '=', windowId)
    .execute()
  const request = {
    ticket_no: `t${userId}`,
    lang: 'cn',
    company: 'A',
    phone: '1',
    email: 'a@b.test',
    area: 'A',
  }
  const answer = { answered_at: now, answered_by: userId, approved: true, answer: 'Yes' }
  await db
    .insertInto('scada_requests')
    .values({ ...request, ...answer, project: 'A', purpose: 'run', address: '::1', created_at: now })
    .execute()
  await createOffer(db, own.machineId, userId, other.userId)
  await createOffer(db, machineId, other.userId, userId)
  await createApplication(db, { kind: 'visit', userId, machineId })
  const proposed = { kind: 'bind', machine_id: machineId, user_id: other.userId, proposed_by: userId }
  const { id: application } = await db
    .insertInto('applications')
    .values({ ...proposed, created_at: now, expires_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('application_steps')
    .values({ application_id: application, step: 'proposed', user_id: userId, state: 0, at: now })
    .execute()
  const page = new TestBrowser(site.url)
  const { email } = leaver
  await page.ask('POST', codes.sendEmailCode.path, { email, purpose: 'resetPassword' })
  await page.ask('POST', accounts.login.path, { loginName: email, loginPwd: 'x', terminalUUID: 'a terminal' })
  return { own, windowId, alarmId, writeId }
}

test('an erased person is in no table any more, and the parts of their acts that others need stay', async () => {
  const name = 'Quentin Q'
  const phone = '13900007788'
  const leaver = await site.createUser({ name, phone })
  const other = await site.createUser()
  const kept = await fillEveryTable(leaver, other)
  const before = await countReferences(leaver.userId)
  const empty = [...before].filter(([, count]) => count === 0).map(([column]) => column)
  // Each of these would otherwise prove nothing.
  expect(empty).toEqual([])
  await makeDue(leaver.userId)
  await erase()
  const after = await countReferences(leaver.userId)
  expect([...after].filter(([, count]) => count > 0)).toEqual([])
  for (const text of [leaver.email, name, phone])
    expect((await tablesWith(text)).filter((table) => table !== 'audit_entries')).toEqual([])
  const { own, windowId, alarmId, writeId } = kept
  const find = (table: 'maintenance_windows' | 'alarms' | 'writes', id: number) =>
    site.db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()
  expect(await find('maintenance_windows', windowId)).toBeDefined()
  expect(await find('alarms', alarmId)).toBeDefined()
  expect(await find('writes', writeId)).toBeDefined()
  const machine = await site.db
    .selectFrom('machines')
    .select(['owner_user_id', 'name', 'code'])
    .where('id', '=', own.machineId)
    .executeTakeFirstOrThrow()
  expect(machine).toEqual({ owner_user_id: null, name: own.code, code: own.code })
  const entries = await site.db
    .selectFrom('audit_entries')
    .select('action')
    .where('actor_user_id', '=', leaver.userId)
    .execute()
  expect(entries).toContainEqual({ action: 'machine.removed' })
})

test('a person whose time is not over is not erased, and a second round changes nothing', async () => {
  const early = await site.createUser()
  const due = await site.createUser()
  await makeDue(early.userId, new Date(Date.now() + 3_600_000))
  await makeDue(due.userId)
  await Promise.all([erase(), erase()])
  await erase()
  const rows = await site.db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [early.userId, due.userId])
    .execute()
  expect(rows).toEqual([{ id: early.userId }])
  const entries = await site.db
    .selectFrom('audit_entries')
    .select('id')
    .where('action', '=', 'user.erase')
    .where('target', '=', String(due.userId))
    .execute()
  expect(entries).toHaveLength(1)
})

test('an erased account can be registered again', async () => {
  const { userId, email } = await site.createUser()
  const page = new TestBrowser(site.url)
  const form = { email, password: 'correct horse', name: 'Ming Li' }
  await makeDue(userId)
  expect(await page.ask('POST', registration.register.path, form)).toBe('ACCOUNT_TAKEN')
  await erase()
  expect(await page.ask('POST', registration.register.path, form)).toBe('OK')
  const given = { activeAccount: email, SMSVerificationCode: await readCode(site.db, email) }
  expect((await page.send('POST', registration.activateAccount.path, given)).body).toBe(1)
})
