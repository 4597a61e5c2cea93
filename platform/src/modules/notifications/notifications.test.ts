import { alarms, notifications as contract, enterprises, messages } from '@busbar/contract'
import { DeviceInformSchema, fromBinary, Scene, UnreadCountSchema } from '@busbar/contract/push'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withTransaction } from '../../kernel/database/database.ts'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createAccess } from '../access/index.ts'
import { type AlarmEvent, writeAlarms } from '../alarms/index.ts'
import { mainBrandId } from '../brands/index.ts'
import { createMailbox } from '../messages/mailbox.ts'
import { createOutgoing, type Outgoing } from '../outgoing/index.ts'
import { reserveStock } from '../sms-stock/index.ts'
import { sendDigests } from './digests.ts'
import { followAlarms } from './follow-facts.ts'
import { LiveFrames } from './live-frames.ts'
import { mayStillNotify } from './may-still-notify.ts'
import { removeOld } from './notifications-store.ts'
import type { NotifyDeps } from './notify-alarms.ts'
import { listMachines, listRecipients } from './recipients.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
/** 12:00 in Shanghai. */
const noon = Date.UTC(2026, 4, 12, 4)

/** Services that are set up; nothing answers there, so that each message stays queued. */
const services = {
  PUBLIC_URL: 'http://localhost',
  SMS_URL: 'smpp://busbar@127.0.0.1:1',
  SMTP_URL: 'smtp://127.0.0.1:1',
  EMAIL_SENDER: 'no-reply@example.test',
}
const takes = { send: async () => [], close: async () => undefined }

let now = noon
const site = useSite({ SMS_SIGNATURE: '母线', ...services }, { now: () => now })
beforeAll(async () => {
  outgoing = createOutgoing({
    db: site.db,
    jobs: { sendAll: async () => undefined },
    facts: site.platform.facts,
    config: {} as never,
    logger: silentLogger,
    now: () => now,
    brandOf,
    providers: { sms: takes, email: takes },
  })
})
beforeEach(async () => {
  now = noon + (Math.floor((now - noon) / dayMs) + 1) * dayMs
  // Clears the notifications that the test before left waiting.
  await digest()
})

interface Row {
  id: number
  alarm_id: number
  user_id: number
  channel: string
  level: string
  state: string
  reason: string
  segments: number
  is_first: boolean
  digest_id: number | null
}

const rowsOf = async (machineId: number, channel?: string): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select * from notifications where machine_id = ${machineId} order by id`.execute(site.db)
  return channel === undefined ? rows : rows.filter((row) => row.channel === channel)
}
const told = (rows: readonly Row[]) => rows.map(({ state, reason }) => reason || state)

const mailsTo = async (user: TestUser) =>
  (
    await site.db
      .selectFrom('outgoing')
      .selectAll()
      .where('recipient', '=', user.email)
      .orderBy('id')
      .execute()
  ).map(({ subject, text }) => ({ subject, text }))

let keys = 0
function event(machineId: number, more: Partial<AlarmEvent> = {}): AlarmEvent {
  const key = more.key ?? `alarm${++keys}`
  return {
    machineId,
    key,
    level: 'major',
    text: { en: `Trouble ${key}`, cn: `故障 ${key}` },
    state: 'raised',
    isRepeat: false,
    late: false,
    at: now,
    receivedAt: now,
    standing: undefined,
    ...more,
  }
}

async function write(events: readonly AlarmEvent[]): Promise<number[]> {
  const changes = await withTransaction(site.db, async (trx) => {
    const client = {
      query: async (text: string, values: unknown[]) =>
        trx.executeQuery({ sql: text, parameters: values } as never),
    }
    return writeAlarms(client as never, events, site.platform.facts)
  })
  site.platform.facts.wake()
  return changes.map(({ alarmId }) => alarmId)
}

/** Waits until all recorded facts were handled. */
async function settle(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { followers } = await site.platform.facts.metrics()
        return followers.find(({ name }) => name === 'notifications.alarms')?.lagMs
      },
      { timeout: 10_000, interval: 5 },
    )
    .toBe(0)
}

const raise = async (machineId: number, more: Partial<AlarmEvent> = {}) => {
  const [alarmId = 0] = await write([event(machineId, more)])
  await settle()
  return alarmId
}

/** Holds up SMS, e-mails and messages, but no frames, until the answered function is called. */
async function holdMessages(): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = withTransaction(site.db, async (trx) => {
    await sql`select from fact_followers where name = 'notifications.alarms' for update`.execute(trx)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  return () => {
    held.resolve()
    return holding
  }
}

let outgoing: Outgoing
const brandOf = () => ({ id: mainBrandId, platformName: { cn: '平台', en: 'Busbar' }, hosts: [] }) as never
const deps = (): NotifyDeps => ({
  access: createAccess(site.db),
  mailbox: createMailbox(site.db),
  tags: site.platform.telemetry,
  now: () => now,
  outgoing,
  brandOf,
  originOf: () => undefined,
  logoOf: () => undefined,
  makeLinks: async () => new Map(),
  unsubscribeUrlOf: () => undefined,
})

/** Runs the job of digests, as the platform does; answers the digests that were queued since the last call. */
async function digest() {
  await sendDigests({ ...deps(), db: site.db })
  const isDone = async () => {
    const { rows } = await sql`
      select from notification_windows where digest_due_at <= ${new Date(now)}`.execute(site.db)
    return rows.length === 0
  }
  // The platform's own run may have taken some of them.
  await expect.poll(isDone, { timeout: 10_000, interval: 5 }).toBe(true)
  const rows = await site.db
    .selectFrom('outgoing')
    .select(['id', 'text', 'recipient as to'])
    .where('purpose', '=', 'digest')
    .where('id', '>', lastDigest)
    .orderBy('id')
    .execute()
  lastDigest = rows.at(-1)?.id ?? lastDigest
  return rows
}
let lastDigest = 0

const recharge = (userId: number, stock: number) =>
  sql`insert into sms_stocks (user_id, stock, created_at) values (${userId}, ${stock}, ${new Date(now)})`.execute(
    site.db,
  )

/** The frames pushed to a person, the earliest first. */
async function framesOf(userId: number, scene: Scene) {
  const rows = await site.db
    .selectFrom('user_events')
    .select(['body'])
    .where('user_id', '=', userId)
    .where('scene', '=', scene)
    .orderBy('id')
    .execute()
  return rows.map(({ body }) => fromBinary(DeviceInformSchema, body))
}

/** A person's number of unread messages, by the last event to their pages that includes it. */
async function lastUnreadOf(userId: number): Promise<number> {
  const { body, scene } = await site.db
    .selectFrom('user_events')
    .select(['body', 'scene'])
    .where('user_id', '=', userId)
    .where('scene', 'in', [Scene.UNREAD, Scene.DEVICE_ALARM, Scene.VOICE])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return fromBinary(scene === Scene.UNREAD ? UnreadCountSchema : DeviceInformSchema, body).totalUnreadMsg
}

/** Facts of a machine's raised alarms, as followers get them. */
async function factsOf(machineId: number): Promise<Fact<'alarm.raised'>[]> {
  const rows = await site.db
    .selectFrom('facts')
    .selectAll()
    .where('machine_id', '=', machineId)
    .where('kind', '=', 'alarm.raised')
    .orderBy('id')
    .execute()
  return rows.map(
    ({ id, payload }) => ({ id, kind: 'alarm.raised', machineId, at: now, ...(payload as object) }) as never,
  )
}

async function createOwned(name = '一号泵') {
  const phone = `139${String(10_000_000 + ++keys)}`
  const owner = await site.createUser({ phone })
  const machine = await site.createMachine({ owner: owner.userId, name })
  await sql`update machine_list_entries set name = ${name} where user_id = ${owner.userId}`.execute(site.db)
  await recharge(owner.userId, 1_000)
  return { owner, phone, ...machine }
}

describe('an alarm', () => {
  test('has one row for each person and channel, and reaches the key by all of them', async () => {
    const { owner, machineId, phone } = await createOwned()
    const visitor = await site.createHolder(machineId, { role: 'visitor' })
    const alarmId = await raise(machineId)
    const rows = await rowsOf(machineId)
    const byPerson = (user: TestUser) =>
      rows.filter(({ user_id }) => user_id === user.userId).map(({ channel, state }) => `${channel} ${state}`)
    expect(byPerson(owner).sort()).toEqual(['email queued', 'message sent', 'push sent', 'sms queued'])
    // A visitor gets SMS and e-mails only where the Akey chose them.
    expect(byPerson(visitor).sort()).toEqual(['message sent', 'push sent'])
    expect(await mailsTo(owner)).toHaveLength(1)
    const sms = await site.db.selectFrom('outgoing').selectAll().where('recipient', '=', phone).execute()
    expect(sms).toMatchObject([{ kind: 'sms', purpose: 'alarm', lang: 'cn' }])
    expect(rows.find(({ channel }) => channel === 'sms')).toMatchObject({ segments: 1, is_first: true })

    await site
      .as(owner)
      .call(contract.setMachineSmsFlag, { machineIds: [machineId], userIds: [visitor.userId] })
    now += 30 * minuteMs
    await raise(machineId)
    const later = (await rowsOf(machineId)).filter(
      ({ user_id, alarm_id }) => user_id === visitor.userId && alarm_id !== alarmId,
    )
    expect(later.map(({ channel, reason, state }) => `${channel} ${reason || state}`).sort()).toEqual([
      'email queued',
      'message sent',
      'push sent',
      'sms noAddress',
    ])
    const { list } = await site.as(owner).call(contract.listTold, { alarmId })
    expect(list.map(({ channel }) => channel).sort()).toEqual(rows.map(({ channel }) => channel).sort())
  })

  test('is written in the reader’s language and zone, with the reader’s name for the machine', async () => {
    const { owner, machineId } = await createOwned('1#泵')
    const reader = await site.createHolder(machineId, { role: 'bkey' }, { lang: 'en' })
    await sql`update machine_list_entries set name = 'Pump East', is_named = true where user_id = ${reader.userId}`.execute(
      site.db,
    )
    await site.db
      .updateTable('users')
      .set({ time_zone: 'America/Lima' })
      .where('id', '=', reader.userId)
      .execute()
    await raise(machineId, { key: 'hot' })
    const [english] = await mailsTo(reader)
    expect(english?.subject).toContain('Major alarm of Pump East')
    expect(english?.text).toContain('Trouble hot')
    expect(english?.text).toContain('America/Lima')
    const [chinese] = await mailsTo(owner)
    expect(chinese?.subject).toContain('1#泵重要报警')
    expect(chinese?.text).toContain('故障 hot')
  })

  test('had the name in its subject that a stranger gave the machine', async () => {
    const name = 'Locked: evil.example'
    const { machineId } = await createOwned(name)
    const reader = await site.createHolder(machineId, { role: 'bkey' }, { lang: 'en' })
    // As a gift puts it into the reader's list.
    await sql`update machine_list_entries set name = ${name} where user_id = ${reader.userId}`.execute(
      site.db,
    )
    await raise(machineId, { key: 'hot' })
    const [mail] = await mailsTo(reader)
    expect(mail?.subject).not.toContain('evil')
    expect(mail?.text).toContain(name)
  })

  test('whose transaction is rolled back notifies nobody', async () => {
    const { owner, machineId } = await createOwned()
    const undone = withTransaction(site.db, async (trx) => {
      const client = {
        query: async (text: string, values: unknown[]) =>
          trx.executeQuery({ sql: text, parameters: values } as never),
      }
      await writeAlarms(client as never, [event(machineId)], site.platform.facts)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await raise(machineId)
    expect(await rowsOf(machineId, 'email')).toHaveLength(1)
    expect(await mailsTo(owner)).toHaveLength(1)
  })

  test('that is handled again sends no second message', async () => {
    const { owner, machineId } = await createOwned()
    await raise(machineId)
    const before = await rowsOf(machineId)
    const { rows } = await sql<{ id: number; at: Date; payload: object }>`
      select id, at, payload from facts where machine_id = ${machineId} and kind = 'alarm.raised'`.execute(
      site.db,
    )
    const again = rows.map(({ id, at, payload }) => ({
      ...payload,
      id,
      kind: 'alarm.raised',
      machineId,
      at: at.getTime(),
    }))
    const sent: unknown[] = []
    const wayOut = {
      canSend: () => true,
      queueAll: async (_: unknown, all: readonly unknown[]) => void sent.push(...all),
    }
    const follower = followAlarms({ ...deps(), outgoing: wayOut as never })
    now += 30 * minuteMs
    await withTransaction(site.db, (trx) => follower.follow(trx, again as never))
    expect(await rowsOf(machineId)).toEqual(before)
    expect(sent).toEqual([])
    expect(await mailsTo(owner)).toHaveLength(1)
  })

  test('is pushed and spoken with the person’s name for the device', async () => {
    const { owner, machineId } = await createOwned('一号泵')
    const friend = await site.createHolder(machineId, { role: 'visitor' }, { lang: 'en' })
    await sql`update machine_list_entries set name = 'Pump 1' where user_id = ${friend.userId}`.execute(
      site.db,
    )
    await write([event(machineId, { key: 'b', level: 'critical' })])
    await settle()
    for (const [{ userId }, text] of [
      [owner, '一号泵：故障 b'],
      [friend, 'Pump 1: Trouble b'],
    ] as const)
      for (const scene of [Scene.DEVICE_ALARM, Scene.VOICE])
        expect((await framesOf(userId, scene)).map((frame) => frame.text)).toEqual([text])
  })

  test('is pushed with its text, at most one frame a machine and second; critical ones by scene 2 as well', async () => {
    const { owner, machineId } = await createOwned()
    await write([
      event(machineId, { key: 'a' }),
      event(machineId, { key: 'b', level: 'critical' }),
      event(machineId, { key: 'c' }),
    ])
    await settle()
    expect(await framesOf(owner.userId, Scene.DEVICE_ALARM)).toMatchObject([
      { deviceId: String(machineId), level: 'critical', text: '一号泵：故障 b' },
    ])
    expect(await lastUnreadOf(owner.userId)).toBe(3)
    expect(await framesOf(owner.userId, Scene.VOICE)).toHaveLength(1)
    now += 500
    await raise(machineId)
    expect(await framesOf(owner.userId, Scene.DEVICE_ALARM)).toHaveLength(1)
    now += 600
    await raise(machineId)
    expect(await framesOf(owner.userId, Scene.DEVICE_ALARM)).toHaveLength(2)
  })

  test('is pushed once, while SMS and e-mail are held up', async () => {
    const { owner, machineId } = await createOwned()
    const letGo = await holdMessages()
    await write([event(machineId, { level: 'critical' })])
    const frames = () => framesOf(owner.userId, Scene.DEVICE_ALARM)
    await expect.poll(frames, { timeout: 10_000, interval: 5 }).toHaveLength(1)
    expect(told(await rowsOf(machineId))).toEqual(['sent'])
    await letGo()
    await settle()
    expect((await rowsOf(machineId)).map(({ channel }) => channel).sort()).toEqual([
      'email',
      'message',
      'push',
      'sms',
    ])
    expect(await frames()).toHaveLength(1)
    expect(await lastUnreadOf(owner.userId)).toBe(1)
  })

  test('is pushed once by several processes that try it at once', async () => {
    const { owner, machineId } = await createOwned()
    const processes = Array.from(
      { length: 3 },
      () => new LiveFrames({ ...deps(), db: site.db, logger: silentLogger }),
    )
    await write([event(machineId), event(machineId)])
    const facts = await factsOf(machineId)
    await Promise.all(processes.map(({ follower }) => follower.follow(facts.toReversed())))
    await settle()
    expect(told(await rowsOf(machineId, 'push')).toSorted()).toEqual(['limited', 'sent'])
    expect(await framesOf(owner.userId, Scene.DEVICE_ALARM)).toHaveLength(1)
  })

  test('is pushed with the SMS and e-mails where no process pushed it', async () => {
    const { owner, machineId } = await createOwned()
    await raise(machineId)
    await sql`delete from notifications where machine_id = ${machineId} and channel = 'push'`.execute(site.db)
    await sql`delete from notification_windows where machine_id = ${machineId} and channel = 'push'`.execute(
      site.db,
    )
    const facts = await factsOf(machineId)
    await withTransaction(site.db, (trx) => followAlarms(deps()).follow(trx, facts))
    expect(told(await rowsOf(machineId, 'push'))).toEqual(['sent'])
    expect(await framesOf(owner.userId, Scene.DEVICE_ALARM)).toHaveLength(2)
    expect(await rowsOf(machineId, 'sms')).toHaveLength(1)
  })

  test('of kept values was pushed, and over before its SMS and e-mails, which nobody got', async () => {
    const { machineId } = await createOwned()
    const { rows } = await sql<{ id: number }>`
      insert into alarm_rules (machine_id, level, condition, on_delay, off_delay, text, created_at, updated_at)
      values (${machineId}, 'major', '{}', 0, 0, '{}', now(), now()) returning id`.execute(site.db)
    const kept = { key: 'kept', ruleId: rows[0]?.id, at: now - 10 * minuteMs }
    const letGo = await holdMessages()
    await write([event(machineId, kept)])
    const { follower } = new LiveFrames({ ...deps(), db: site.db, logger: silentLogger })
    await follower.follow(await factsOf(machineId))
    await write([event(machineId, { ...kept, state: 'cleared', at: kept.at + 1 })])
    await letGo()
    await settle()
    expect(await rowsOf(machineId)).toEqual([])

    await raise(machineId, { ...kept, at: kept.at + 2 })
    expect(told(await rowsOf(machineId))).toEqual(['sent', 'queued', 'queued', 'sent'])
  })

  test('costs the segments of the text with its signature', async () => {
    const sent = async (text: string) => {
      const { machineId, phone } = await createOwned()
      await raise(machineId, { text: { en: text, cn: text } })
      const { text: whole } = await site.db
        .selectFrom('outgoing')
        .select('text')
        .where('recipient', '=', phone)
        .executeTakeFirstOrThrow()
      return { units: whole.length, segments: (await rowsOf(machineId, 'sms'))[0]?.segments }
    }
    const short = await sent('热')
    expect(short.segments).toBe(1)
    const { signature } = await site.as(await site.createUser()).call(contract.getUserMsgConfig, {})
    expect(signature).toBe('母线')
    const full = await sent('热'.repeat(71 - short.units))
    expect(full).toEqual({ units: 70, segments: 2 })
  })

  test('that counts up changes its only message; confirming it marks the message as read', async () => {
    const { owner, machineId } = await createOwned()
    const alarmId = await raise(machineId, { key: 'again' })
    now += minuteMs
    await raise(machineId, { key: 'again' })
    const list = () => site.as(owner).call(messages.listMessages, { scene: 'alarm' })
    const { list: inbox } = await list()
    expect(inbox).toHaveLength(1)
    expect(inbox[0]).toMatchObject({ type: 'alarm', alarmId, read: false })
    expect(inbox[0]?.body).toContain('(2 times)')
    expect(await rowsOf(machineId, 'message')).toHaveLength(1)
    await site.as(owner).call(alarms.confirmAlarms, { ids: [alarmId] })
    await settle()
    expect((await list()).list[0]?.read).toBe(true)
  })

  test('that becomes critical in the batch in which it is raised has one message', async () => {
    const { owner, machineId } = await createOwned()
    await write([
      event(machineId, { key: 'twice', level: 'minor' }),
      event(machineId, { key: 'twice', level: 'critical', isRepeat: true }),
    ])
    await settle()
    const { list } = await site.as(owner).call(messages.listMessages, { scene: 'alarm' })
    expect(list).toHaveLength(1)
    expect(list[0]?.read).toBe(false)
    expect((await site.as(owner).call(messages.getTotalUnread, {})).totalUnreadMsg).toBe(1)
  })

  test('that is critical and raised again in the same batch of facts is notified once', async () => {
    const { owner, machineId } = await createOwned()
    const grave = event(machineId, { key: 'grave', level: 'critical' })
    await write([grave, { ...grave, at: now + 1 }])
    await settle()
    for (const channel of ['push', 'sms', 'email'] as const)
      expect(await rowsOf(machineId, channel)).toHaveLength(1)
    expect(await mailsTo(owner)).toHaveLength(1)
  })

  test('that becomes critical when it is raised again is notified as such, once', async () => {
    const { owner, machineId } = await createOwned()
    await raise(machineId, { key: 'worse', level: 'minor' })
    for (let again = 0; again < 2; again++) {
      now += minuteMs
      await raise(machineId, { key: 'worse', level: 'critical' })
    }
    const sms = await rowsOf(machineId, 'sms')
    expect(sms.map(({ level, state }) => `${level} ${state}`)).toEqual(['minor queued', 'critical queued'])
    expect(await mailsTo(owner)).toHaveLength(2)
  })
})

describe('a flood', () => {
  test('becomes one message at its beginning and one digest at the end of the window', async () => {
    const { owner, machineId } = await createOwned()
    await raise(machineId)
    await write(Array.from({ length: 500 }, () => event(machineId)))
    await settle()
    expect(await mailsTo(owner)).toHaveLength(1)
    expect(await digest()).toEqual([])
    now += 10 * minuteMs
    const sent = await digest()
    const mine = sent.filter(({ to }) => to === owner.email)
    expect(mine).toHaveLength(1)
    expect(mine[0]?.text).toContain('500 条报警')
    expect(mine[0]?.text).toContain('另有 490 条')
    expect(sent).toHaveLength(2)
    expect(await digest()).toEqual([])
    const rows = (await rowsOf(machineId, 'email')).slice(1)
    expect(new Set(rows.map(({ digest_id }) => digest_id)).size).toBe(1)
    // The digest is a message as well: it opens the next window.
    await raise(machineId)
    expect((await rowsOf(machineId, 'email')).at(-1)).toMatchObject({ state: 'waiting', reason: 'digest' })
  })

  test('lets a new critical alarm pass, and no more than 20 in ten minutes', async () => {
    const { machineId } = await createOwned()
    await raise(machineId)
    await write(Array.from({ length: 25 }, () => event(machineId, { level: 'critical' })))
    await settle()
    const states = (await rowsOf(machineId, 'sms')).map(({ state }) => state)
    expect(states.filter((state) => state === 'queued')).toHaveLength(21)
    expect(states.filter((state) => state === 'waiting')).toHaveLength(5)
  })

  test('lets an alarm pass that becomes critical, once', async () => {
    const { machineId } = await createOwned()
    await raise(machineId, { key: 'rising' })
    await raise(machineId, { key: 'rising', level: 'critical' })
    await raise(machineId, { key: 'rising', level: 'critical', text: { cn: '更热', en: 'Hotter' } })
    expect((await rowsOf(machineId, 'email')).map(({ level, state }) => `${level} ${state}`)).toEqual([
      'major queued',
      'critical queued',
    ])
  })

  test('ends at the daily limits, which a first alarm passes', async () => {
    const { owner, machineId } = await createOwned()
    await site.as(owner).call(contract.setUserMsgConfig, { machineSmsDailyAmount: 2 })
    await raise(machineId)
    for (const _ of [1, 2]) {
      await raise(machineId)
      now += 10 * minuteMs
      await digest()
    }
    const rows = await rowsOf(machineId, 'email')
    expect(told(rows)).toEqual(['queued', 'digest', 'limited'])
    now += 20 * minuteMs
    await raise(machineId)
    expect((await rowsOf(machineId, 'email')).at(-1)).toMatchObject({ state: 'queued', is_first: true })
    // The next day begins at midnight on the clocks of the person, not after 24 hours.
    now = noon + Math.floor((now - noon) / dayMs) * dayMs + 13 * 60 * minuteMs
    await raise(machineId)
    await raise(machineId)
    now += 10 * minuteMs
    await digest()
    expect((await rowsOf(machineId, 'email')).at(-1)).toMatchObject({ state: 'queued', reason: 'digest' })
  })
})

describe('no message is sent, and the row has the reason,', () => {
  test('in quiet hours, which a critical alarm passes', async () => {
    const { owner, machineId } = await createOwned()
    await site.as(owner).call(contract.setUserMsgConfig, { quietFrom: '11:00', quietTo: '13:30' })
    await raise(machineId)
    expect(told(await rowsOf(machineId, 'sms'))).toEqual(['quietHours'])
    await raise(machineId, { level: 'critical' })
    expect(told(await rowsOf(machineId, 'sms'))).toEqual(['quietHours', 'queued'])
  })

  test('where the person or the machine has it off', async () => {
    const { owner, machineId } = await createOwned()
    await site.as(owner).call(contract.setUserMsgConfig, { userSmsFlag: 0 })
    await site.as(owner).call(contract.setMachineSmsFlag, { machineIds: [machineId], emailFlag: 0 })
    await raise(machineId)
    expect(told(await rowsOf(machineId, 'sms'))).toEqual(['off'])
    expect(told(await rowsOf(machineId, 'email'))).toEqual(['off'])
    const { list } = await site.as(owner).call(contract.listSmsRecords, {})
    expect(list).toMatchObject([{ state: 'skipped', reason: 'off', machine: '一号泵' }])
  })

  test('while it is shelved or out of service', async () => {
    const { owner, machineId } = await createOwned()
    const until = now + 60 * minuteMs
    await site.as(owner).call(alarms.shelveAlarms, { machineId, until, reason: 'works' })
    await raise(machineId)
    expect(new Set(told(await rowsOf(machineId)))).toEqual(new Set(['shelved']))
    expect(await mailsTo(owner)).toEqual([])
  })

  test('a waiting notification when somebody confirms or shelves the alarm', async () => {
    const { owner, machineId } = await createOwned()
    await raise(machineId)
    const alarmId = await raise(machineId)
    await raise(machineId)
    await site.as(owner).call(alarms.confirmAlarms, { ids: [alarmId] })
    await settle()
    expect(told(await rowsOf(machineId, 'email'))).toEqual(['queued', 'confirmed', 'digest'])
    const until = now + 60 * minuteMs
    await site.as(owner).call(alarms.shelveAlarms, { machineId, until, reason: 'works' })
    await settle()
    expect(told(await rowsOf(machineId, 'email'))).toEqual(['queued', 'confirmed', 'shelved'])
  })

  test('without stock, and the next alarm is a first again', async () => {
    const { owner, machineId } = await createOwned()
    await sql`update sms_stocks set stock = 0 where user_id = ${owner.userId}`.execute(site.db)
    await write([event(machineId), event(machineId)])
    await settle()
    expect(told(await rowsOf(machineId, 'sms'))).toEqual(['noStock', 'noStock'])
    const { list } = await site.as(owner).call(contract.listSmsRecords, {})
    expect(list.map(({ state }) => state)).toEqual(['noStock', 'noStock'])
    await sql`update sms_stocks set stock = 1 where user_id = ${owner.userId}`.execute(site.db)
    await raise(machineId)
    expect(told(await rowsOf(machineId, 'sms'))).toEqual(['noStock', 'noStock', 'queued'])
    const unpaid = await withTransaction(site.db, (trx) =>
      reserveStock(trx, [{ notificationId: 1, payer: owner, segments: 1 }], new Date(now)),
    )
    expect(unpaid.size).toBe(1)
  })

  test('to a person who lost the right in between', async () => {
    const { machineId } = await createOwned()
    const key = await site.createHolder(machineId, { role: 'bkey' })
    await raise(machineId)
    await raise(machineId)
    await sql`delete from machine_grants where user_id = ${key.userId}`.execute(site.db)
    await raise(machineId)
    now += 10 * minuteMs
    const sent = await digest()
    expect(sent.filter(({ to }) => to === key.email)).toEqual([])
    const mine = (await rowsOf(machineId, 'email')).filter(({ user_id }) => user_id === key.userId)
    expect(told(mine)).toEqual(['queued', 'noRight'])
  })

  test('to a person who lost the right while the provider was away', async () => {
    const { owner, machineId } = await createOwned()
    const guest = await site.createUser()
    const grantId = await site.grantMachine(guest.userId, machineId, { role: 'bkey' })
    await raise(machineId)
    const noteOf = async (user: TestUser) => {
      const rows = await rowsOf(machineId, 'email')
      return rows.find(({ user_id }) => user_id === user.userId)?.id ?? 0
    }
    const may = (id: number) =>
      mayStillNotify({ db: site.db, access: createAccess(site.db), now: () => now }, id)
    const [ofOwner, ofGuest] = [await noteOf(owner), await noteOf(guest)]
    expect([await may(ofOwner), await may(ofGuest)]).toEqual([true, true])
    await site.db.deleteFrom('machine_grants').where('id', '=', grantId).execute()
    expect([await may(ofOwner), await may(ofGuest)]).toEqual([true, false])
    // The owner gets the machine back later: alarms from before are not shown to anybody.
    now += minuteMs
    await sql`update machines set owned_since = ${new Date(now)} where id = ${machineId}`.execute(site.db)
    expect(await may(ofOwner)).toBe(false)
  })

  test('to the next owner, about alarms from before', async () => {
    const { machineId } = await createOwned()
    const next = await site.createUser()
    await raise(machineId)
    const [alarmId = 0] = await write([event(machineId)])
    await settle()
    now += minuteMs
    await withTransaction(site.db, async (trx) => {
      await sql`update machines set owner_user_id = ${next.userId}, owned_since = ${new Date(now)} where id = ${machineId}`.execute(
        trx,
      )
      await site.platform.facts.record(trx, {
        kind: 'machine.ownerChanged',
        machineId,
        at: now,
        isFirst: false,
      } as never)
    })
    now += 10 * minuteMs
    expect(await digest()).toEqual([])
    expect(told(await rowsOf(machineId, 'email'))).toEqual(['queued', 'noRight'])
    const { list } = await site.as(next).call(contract.listEmailRecords, {})
    expect(list).toEqual([])
    await expect(site.as(next).call(contract.listTold, { alarmId })).rejects.toThrow()
    await raise(machineId)
    expect((await rowsOf(machineId, 'email')).at(-1)).toMatchObject({ user_id: next.userId, state: 'queued' })
  })
})

test('the outcome of a message is that of its notification, and of every alarm of its digest', async () => {
  const { owner, machineId } = await createOwned()
  await raise(machineId)
  await raise(machineId)
  await raise(machineId)
  now += 10 * minuteMs
  await digest()
  const [first, bearer] = await rowsOf(machineId, 'sms')
  const record = (kind: string, notificationId: number) =>
    withTransaction(site.db, (trx) =>
      site.platform.facts.record(trx, {
        kind,
        messageId: 1,
        notificationId,
        isMaybeSecond: false,
        why: 'refused',
        at: now,
      } as never),
    )
  await record('message.refused', first?.id ?? 0)
  await record('message.accepted', bearer?.id ?? 0)
  expect((await rowsOf(machineId, 'sms')).map(({ state }) => state)).toEqual(['failed', 'sent', 'sent'])
  await record('message.delivered', bearer?.id ?? 0)
  await expect
    .poll(async () => (await rowsOf(machineId, 'sms')).map(({ state }) => state), {
      timeout: 10_000,
      interval: 5,
    })
    .toEqual(['failed', 'delivered', 'delivered'])
  const { list } = await site.as(owner).call(contract.listSmsRecords, {})
  expect(list.map(({ state, digestCount }) => [state, digestCount])).toEqual([
    ['delivered', 2],
    ['failed', 1],
  ])
})

test('a digest is in the send record at the time it was sent, before the unsent messages after its alarms', async () => {
  const { owner, machineId } = await createOwned()
  await raise(machineId)
  now += minuteMs
  await raise(machineId)
  await site.as(owner).call(contract.setMachineSmsFlag, { machineIds: [machineId], smsFlag: 0 })
  for (let unsent = 0; unsent < 12; unsent++) {
    now += 1_000
    await raise(machineId)
  }
  await site.as(owner).call(contract.setMachineSmsFlag, { machineIds: [machineId], smsFlag: 1 })
  now += 10 * minuteMs
  await digest()
  const { list } = await site.as(owner).call(contract.listSmsRecords, { pageSize: 10 })
  expect(list[0]).toMatchObject({ createTime: now, state: 'queued', digestCount: 1 })
  expect(list[1]).toMatchObject({ state: 'skipped', reason: 'off' })
})

test('the segments used today are those to a person and those of the person’s devices to others, each once', async () => {
  const { owner, machineId } = await createOwned()
  const other = await site.createUser({ phone: `137${String(10_000_000 + ++keys)}` })
  await site.grantMachine(other.userId, machineId, { role: 'bkey' })
  const usedBy = async (user: TestUser) => (await site.as(user).call(contract.getUserMsgConfig, {})).usedToday
  await raise(machineId)
  const rows = await rowsOf(machineId, 'sms')
  expect(rows).toHaveLength(2)
  const segmentsOf = (user: TestUser) => rows.find(({ user_id: id }) => id === user.userId)?.segments ?? 0
  expect(await usedBy(owner)).toBe(segmentsOf(owner) + segmentsOf(other))
  expect(await usedBy(other)).toBe(segmentsOf(other))
  expect(segmentsOf(other)).toBeGreaterThan(0)
})

test('the send record has a digest once, however many alarms it contains', async () => {
  const { owner, machineId } = await createOwned()
  for (let alarm = 0; alarm < 6; alarm++) await raise(machineId)
  const read = async () => {
    const { list, total } = await site.as(owner).call(contract.listSmsRecords, {})
    return { total, list: list.map(({ state, digestCount }) => [state, digestCount]) }
  }
  expect((await read()).total).toBe(6)
  now += 10 * minuteMs
  await digest()
  expect(await read()).toEqual({
    total: 2,
    list: [
      ['queued', 5],
      ['queued', 1],
    ],
  })
})

test('a message that may have been sent twice is marked in the send record, even after it arrived', async () => {
  const { owner, machineId } = await createOwned()
  await raise(machineId)
  const [row] = await rowsOf(machineId, 'sms')
  const told = { messageId: 1, notificationId: row?.id ?? 0, at: now }
  const record = (fact: object) =>
    withTransaction(site.db, (trx) => site.platform.facts.record(trx, { ...told, ...fact } as never))
  const list = async () =>
    (await site.as(owner).call(contract.listSmsRecords, {})).list.map(({ state, reason }) => [state, reason])
  await record({ kind: 'message.accepted', isMaybeSecond: true })
  expect(await list()).toEqual([['sent', 'maybeTwice']])
  await record({ kind: 'message.delivered' })
  await expect.poll(list, { timeout: 10_000, interval: 5 }).toEqual([['delivered', 'maybeTwice']])
})

test('a confirmed contact gets the e-mail of its owner’s machine, and none once it left', async () => {
  const { owner, machineId } = await createOwned()
  const email = `shift${machineId}@example.test`
  const { rows } = await sql<{ id: number }>`
    insert into alarm_contacts (user_id, name, email, lang, created_at)
    values (${owner.userId}, 'Shift', ${email}, 'en', ${new Date(now)}) returning id`.execute(site.db)
  const contactId = rows[0]?.id ?? 0
  await sql`insert into alarm_contact_machines values (${contactId}, ${machineId})`.execute(site.db)
  const ofContact = async () =>
    (
      await sql<Row>`select * from notifications where contact_id = ${contactId} order by id`.execute(site.db)
    ).rows.map(({ channel, state }) => `${channel} ${state}`)
  await raise(machineId)
  expect(await ofContact()).toEqual([])
  await sql`update alarm_contacts set confirmed_at = now() where id = ${contactId}`.execute(site.db)
  const alarmId = await raise(machineId)
  expect(await ofContact()).toEqual(['email queued'])
  const mail = await site.db
    .selectFrom('outgoing')
    .selectAll()
    .where('recipient', '=', email)
    .executeTakeFirstOrThrow()
  expect(mail.subject).toContain('Major alarm of')
  const { list } = await site.as(owner).call(contract.listTold, { alarmId })
  expect(list.filter(({ isContact }) => isContact)).toMatchObject([{ name: 'Shift', channel: 'email' }])
  await sql`update alarm_contacts set left_at = now() where id = ${contactId}`.execute(site.db)
  now += 30 * minuteMs
  await raise(machineId)
  expect(await ofContact()).toEqual(['email queued'])
})

test('a maintenance team was never told by SMS or e-mail, with the scope alarm it is, while the window is open', async () => {
  const { machineId } = await createOwned()
  const { eid, owner: maker } = await site.createEnterprise('Maker')
  const hand = await site.createMember(eid, 'member', ['maintain'])
  const idle = await site.createMember(eid, 'member', ['maintain'])
  const channels = async (user: TestUser) => {
    const alarmId = await raise(machineId, { level: 'critical' })
    return (await rowsOf(machineId))
      .filter((row) => row.alarm_id === alarmId && row.user_id === user.userId)
      .map(({ channel }) => channel)
      .sort()
  }
  await site.openWindow({ eid, machineId, scopes: ['view'], start: now - 1, stop: now + 60 * minuteMs })
  await site.createTeam({ eid, kind: 'maintain', memberIds: [hand.userId], machineIds: [machineId] })
  expect(await channels(hand)).toEqual(['message', 'push'])
  const contractId = await site.openWindow({
    eid,
    machineId,
    scopes: ['alarm'],
    start: now - 1,
    stop: null,
  })
  for (const person of [hand, maker])
    expect(await channels(person)).toEqual(['email', 'message', 'push', 'sms'])
  expect(await channels(idle)).toEqual([])
  const by = site.as(hand)
  await by.call(enterprises.endMaintenance, { eid, id: contractId })
  expect(await channels(hand)).toEqual(['message', 'push'])
})

test('the link of a mail led members and maintainers to the alarms of their own devices, not to the enterprise’s', async () => {
  const { eid, owner } = await site.createEnterprise()
  const { machineId } = await site.createEnterpriseMachine(eid)
  const { eid: makerEid, owner: maker } = await site.createEnterprise('Maker')
  await site.openWindow({ eid: makerEid, machineId, scopes: ['alarm'], start: now - 1, stop: null })
  const own = await createOwned()
  const alarmId = await raise(machineId)
  const linkOf = async (user: TestUser) =>
    /\/alarmCenter\?(\S+)/.exec((await mailsTo(user))[0]?.text ?? '')?.[1]
  expect(await linkOf(owner)).toBe(`alarm=${alarmId}&eid=${eid}`)
  expect(await linkOf(maker)).toBe(`alarm=${alarmId}&eid=${makerEid}`)
  const ownAlarmId = await raise(own.machineId)
  expect(await linkOf(own.owner)).toBe(`alarm=${ownAlarmId}`)
})

test('an enterprise’s device notifies its members by its own settings, and its stock pays', async () => {
  const { eid, owner } = await site.createEnterprise()
  const member = await site.createMember(eid, 'member', ['alarm'])
  const watcher = await site.createMember(eid, 'member', ['view'])
  const { machineId } = await site.createEnterpriseMachine(eid)
  await sql`update users set phone = '138' || (10000000 + id)::text, country_code = '86' where id = ${member.userId}`.execute(
    site.db,
  )
  await sql`insert into sms_stocks (enterprise_id, stock, created_at) values (${eid}, 5, now())`.execute(
    site.db,
  )
  await site.as(owner).call(contract.setEnterpriseMsgConfig, { eid, emailFlag: 0 })
  await raise(machineId)
  const of = async (user: TestUser) =>
    (await rowsOf(machineId))
      .filter(({ user_id }) => user_id === user.userId)
      .map(({ channel, reason, state }) => `${channel} ${reason || state}`)
      .sort()
  expect(await of(member)).toEqual(['email off', 'message sent', 'push sent', 'sms queued'])
  expect(await of(watcher)).toEqual(['message sent', 'push sent'])
  const info = await site.as(owner).call(contract.getEnterpriseMsgConfig, { eid })
  expect(info).toMatchObject({ emailFlag: 0, smsFlag: 1, stock: 4, usedToday: 1 })
  const { list } = await site.as(owner).call(contract.listEnterpriseMachine, { eid })
  expect(list).toMatchObject([{ machineId, smsFlag: 1, emailFlag: 1, recipients: 2 }])
  const sms = await site.as(watcher).call(contract.listEnterpriseSmsRecords, { eid })
  expect(sms.list.map(({ phoneMasked, state }) => [phoneMasked.includes('*'), state])).toContainEqual([
    true,
    'queued',
  ])
})

test('windows that ended long ago are deleted, and the next alarm counts as a first', async () => {
  const { machineId } = await createOwned()
  await raise(machineId)
  const count = async () =>
    (await sql`select from notification_windows where machine_id = ${machineId}`.execute(site.db)).rows.length
  expect(await count()).toBe(3)
  now += 2 * 60 * minuteMs
  await digest()
  expect(await count()).toBe(0)
  await raise(machineId)
  expect((await rowsOf(machineId, 'sms')).map(({ state }) => state)).toEqual(['queued', 'queued'])
})

test('the record of notifications is deleted after its time, and not before', async () => {
  const { machineId } = await createOwned()
  await raise(machineId)
  const kept = async () => (await rowsOf(machineId)).length
  const count = await kept()
  // Ids rise with time: rows older than the oldest kept one are deleted.
  await removeOld(site.db, new Date(now), 1_000)
  expect(await kept()).toBe(count)
  while (await removeOld(site.db, new Date(now + 1), 10));
  expect(await kept()).toBe(0)
})

test('a contact gets mails with the brand of its owner', async () => {
  const { owner, machineId } = await createOwned()
  const ofHost = 77
  await site.signIn(owner.userId, { brandId: ofHost })
  const { rows } = await sql<{ id: number }>`
    insert into alarm_contacts (user_id, name, email, lang, created_at, confirmed_at)
    values (${owner.userId}, 'Night shift', 'night@example.test', 'en', now(), now()) returning id`.execute(
    site.db,
  )
  const contactId = rows[0]?.id ?? 0
  await sql`insert into alarm_contact_machines (contact_id, machine_id) values (${contactId}, ${machineId})`.execute(
    site.db,
  )
  const machines = await listMachines(site.db, [machineId])
  const pairs = await createAccess(site.db).listAlarmAudience([machineId], now)
  const all = await listRecipients(site.db, machines, pairs, now)
  expect(all.map(({ brandId }) => brandId)).toEqual([ofHost, ofHost])
  expect(all.some((one) => one.contactId === contactId)).toBe(true)
})
