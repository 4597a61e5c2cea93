import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createUser,
  grantMachine,
  type TestMachine,
} from '@busbar/testkit'
import { sql } from 'kysely'

/**
 * The channels by which a person is notified of every alarm of a machine at once, or a reason for not notifying is
 * written.
 */
export interface Listener {
  readonly userId: number | null
  readonly contactId: number | null
  readonly channels: readonly string[]
}

/** A machine of a run, and everybody who is notified of its alarms. */
export interface FixtureMachine extends TestMachine {
  readonly listeners: readonly Listener[]
  /** The receivers of each step of the escalation, as `user/contact/channel`. */
  readonly steps: readonly (readonly string[])[]
  readonly hasRule: boolean
}

/** The people and machines of one run. */
export interface AlarmFixture {
  readonly machines: readonly FixtureMachine[]
}

/** A value above this is an alarm of the rule. */
export const ruleLimit = 100_000
/** The most digests and other messages that an enterprise's member gets in a day. */
export const memberDailyMax = 2

const written = ['push', 'message', 'sms', 'email'] as const
let lastPhone = 10_000_000

async function givePhone(db: Database, userId: number): Promise<void> {
  await sql`update users set phone = ${`139${++lastPhone}`}, country_code = '86' where id = ${userId}`.execute(
    db,
  )
}

async function stock(db: Database, owner: { userId?: number; eid?: number }, count: number): Promise<void> {
  await sql`
    with made as (
      insert into sms_stocks (user_id, enterprise_id, stock, created_at)
      values (${owner.userId ?? null}, ${owner.eid ?? null}, ${count}, now()) returning id)
    insert into sms_stock_records (stock_id, kind, segments, change, remaining, at)
    select id, 'recharge', ${count}, ${count}, ${count}, now() from made`.execute(db)
}

/**
 * Makes a person's machine with a second key, a key without SMS, a visitor, a contact, a rule and an escalation; and an
 * enterprise's with a member who gets few messages a day, and a stock that may not last.
 */
export async function createAlarmFixture(db: Database, enterpriseStock: number): Promise<AlarmFixture> {
  const owner = await createUser(db, { lang: 'en' })
  const bkey = await createUser(db, { lang: 'en' })
  const silent = await createUser(db, { lang: 'en' })
  const visitor = await createUser(db, { lang: 'en' })
  for (const { userId } of [owner, bkey, silent]) await givePhone(db, userId)
  const own = await createMachine(db, { owner: owner.userId, name: 'Pump' })
  for (const { userId } of [bkey, silent]) await grantMachine(db, userId, own.machineId, { role: 'bkey' })
  await grantMachine(db, visitor.userId, own.machineId, { role: 'visitor' })
  await sql`insert into alarm_settings_user (user_id, sms) values (${silent.userId}, false)`.execute(db)
  await stock(db, { userId: owner.userId }, 500)
  const { rows } = await sql<{ id: number }>`
    insert into alarm_contacts (user_id, name, email, lang, created_at, confirmed_at)
    values (${owner.userId}, 'Shift', ${`shift${own.machineId}@example.test`}, 'en', now(), now())
    returning id`.execute(db)
  const contactId = rows[0]?.id ?? 0
  await sql`insert into alarm_contact_machines values (${contactId}, ${own.machineId})`.execute(db)
  const steps = [
    { afterMinutes: 5, who: 'keys', how: ['sms', 'email'] },
    { afterMinutes: 10, who: 'contactIds', contactIds: [contactId], how: ['email'] },
  ]
  await sql`insert into alarm_escalations (machine_id, steps) values (${own.machineId}, ${JSON.stringify(steps)}::jsonb)`.execute(
    db,
  )
  const condition = {
    kind: 'threshold',
    tag: { group: '', name: 'temp' },
    op: '>',
    limit: ruleLimit,
    deadband: 0,
  }
  await sql`insert into alarm_rules (machine_id, level, condition, on_delay, off_delay, text, created_at, updated_at)
    values (${own.machineId}, 'major', ${JSON.stringify(condition)}::jsonb, 0, 0,
      '{"cn": "T{value}Z", "en": "T{value}Z"}', now(), now())`.execute(db)

  const { eid, owner: holder } = await createEnterprise(db)
  const member = await createMember(db, eid, 'member', ['alarm'])
  const watcher = await createMember(db, eid, 'member', ['view'])
  await givePhone(db, member.userId)
  const people = [member.userId, watcher.userId, holder.userId]
  await sql`update users set lang = 'en' where id = any(${people}::bigint[])`.execute(db)
  const device = await createEnterpriseMachine(db, eid, { name: 'Oven' })
  await stock(db, { eid }, enterpriseStock)
  await sql`insert into alarm_settings_enterprise (enterprise_id, sms_daily, machine_sms_daily)
    values (${eid}, ${memberDailyMax}, ${memberDailyMax})`.execute(db)

  const person = (userId: number, channels: readonly string[]): Listener => ({
    userId,
    contactId: null,
    channels,
  })
  const ofKeys = [owner, bkey, silent].flatMap(({ userId }) => [`${userId}/0/sms`, `${userId}/0/email`])
  return {
    machines: [
      {
        ...own,
        listeners: [
          person(owner.userId, written),
          person(bkey.userId, written),
          person(silent.userId, written),
          person(visitor.userId, ['push', 'message']),
          { userId: null, contactId, channels: ['email'] },
        ],
        steps: [ofKeys, [`0/${contactId}/email`]],
        hasRule: true,
      },
      {
        ...device,
        listeners: [
          person(member.userId, written),
          person(watcher.userId, ['push', 'message']),
          person(holder.userId, written),
        ],
        steps: [],
        hasRule: false,
      },
    ],
  }
}
