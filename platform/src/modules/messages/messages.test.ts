import { messages as contract, limits } from '@busbar/contract'
import { PushClient, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createMailbox, type Mailbox, type NewMessage } from './mailbox.ts'
import { type MessageKind, messageKinds } from './message-kinds.ts'
import { listMessages } from './messages-list-store.ts'
import { removeOldMessages } from './old-messages.ts'

const site = useSite()
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = createMailbox(site.db)
})

const dayMs = 86_400_000

async function write(given: readonly NewMessage[], at = new Date()): Promise<void> {
  await site.db.transaction().execute((trx) => mailbox.write(trx, at, { messages: given }))
}

const note = (
  user: TestUser,
  machine: { machineId: number },
  more: Partial<NewMessage> = {},
): NewMessage => ({
  userId: user.userId,
  kind: 'rightGiven',
  machineId: machine.machineId,
  params: { person: '王工', right: 'bkey' },
  ...more,
})

/** A page that receives everything from here on. */
async function openPage(user: TestUser): Promise<PushClient> {
  const client = await PushClient.open(site.url, user.token)
  client.heartbeat()
  await client.find((event) => (event.scene === 'heartbeat' ? true : undefined))
  return client
}

async function unreadOf(user: TestUser): Promise<number> {
  return (await site.as(user).call(contract.getTotalUnread, {})).totalUnreadMsg
}

const page = (user: TestUser, input: Partial<Parameters<typeof search>[1]> = {}) => search(user, input)
function search(
  user: TestUser,
  input: {
    scene?: contract.MessageTab
    read?: boolean
    mayAnswer?: true
    search?: string
    page?: number
    pageSize?: number
  },
  lang: 'cn' | 'en' = 'cn',
) {
  return site.as(user, lang).call(contract.listMessages, { scene: 'device', ...input })
}

describe('texts', () => {
  test('every kind has a text in both languages, with all its params filled in', async () => {
    const [reader, other] = [await site.createUser(), await site.createUser({ name: '王工' })]
    const machine = await site.createMachine({ owner: reader.userId, name: '注塑机 3' })
    const { id: applicationId } = await createApplication(machine.machineId, other.userId)
    const { id: transferId } = await createTransfer(machine.machineId, other.userId, reader.userId)
    const params: NewMessage['params'] = {
      person: '王工',
      enterprise: '海宁机电',
      role: 'admin',
      right: 'visitor',
      from: Date.UTC(2026, 0, 2, 3, 4),
      until: Date.UTC(2026, 5, 6, 7, 8),
      mode: 'ro',
      answer: 'accepted',
      reason: '季度检修',
      alarm: { id: 1, level: 'major', text: { cn: '过热', en: 'Too hot' } },
      project: '浙江二厂',
      projectId: 1,
      percent: 80,
      count: 5,
      max: 5000,
      refused: ['t1', 't2'],
    }
    for (const kind of Object.keys(messageKinds) as MessageKind[]) {
      const about = kind.startsWith('transfer') ? { transferId } : { applicationId }
      await write([note(reader, machine, { kind, params, ...about })])
    }
    for (const lang of ['cn', 'en'] as const) {
      const texts: string[] = []
      for (const scene of contract.messageTabs) {
        const { list } = await search(reader, { scene, pageSize: 200 }, lang)
        texts.push(...list.map(({ title, body }) => `${title}: ${body}`))
      }
      expect(texts).toHaveLength(Object.keys(messageKinds).length)
      for (const text of texts) {
        // Of these only the message about the reader's own e-mails names nobody.
        expect(text).toMatch(
          /注塑机 3|海宁机电|王工|浙江二厂|邮件通知已关闭|E-mails turned off|报警通知测试|Test of alarm/,
        )
        expect(text).not.toMatch(/undefined|null|NaN|Invalid|1970| {2}/)
      }
    }
  })

  test('name people, action, device and time', async () => {
    const [key, guest] = [await site.createUser(), await site.createUser({ name: '王工' })]
    const machine = await site.createMachine({ owner: key.userId, name: '注塑机 3' })
    const { id: applicationId } = await createApplication(machine.machineId, guest.userId)
    await write([
      note(key, machine, { kind: 'visitApply', applicationId, params: {} }),
      note(guest, machine, {
        kind: 'visitSuccess',
        applicationId,
        params: { until: Date.UTC(2026, 10, 21, 13, 30), mode: 'ro' },
      }),
    ])
    const asked = (await page(key, { scene: 'inbox' })).list[0]
    expect(asked).toMatchObject({
      type: 'visitApply',
      title: '访问申请',
      body: '王工 申请访问“注塑机 3”（可读写），留言：换模具',
      auditState: 0,
      isResult: false,
      machine: { machineCode: machine.code },
    })
    const told = (await search(guest, { scene: 'sent' }, 'en')).list[0]
    expect(told?.body).toBe('You can now visit “注塑机 3”: read-only, until 2026-11-21T13:30:00Z')
  })

  test('keep instants, which the platform wrote in its own zones before, also in messages of 1.5.0', async () => {
    const [key, guest] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ owner: key.userId, name: '2026-01-01T00:00:00Z' })
    const until = Date.UTC(2026, 10, 21, 13, 30)
    // As 1.5.0 wrote a row.
    await site.db
      .insertInto('messages')
      .values({
        user_id: guest.userId,
        tab: 'sent',
        type: 'visitSuccess',
        machine_id: machine.machineId,
        params: JSON.stringify({ until, mode: 'ro', machine: '2026-01-01T00:00:00Z' }),
      })
      .execute()
    for (const lang of ['cn', 'en'] as const) {
      const message = (await search(guest, { scene: 'sent' }, lang)).list[0]
      expect(message?.times).toHaveLength(1)
      const { start = 0, end = 0, at } = message?.times[0] ?? {}
      expect([message?.body.slice(start, end), at]).toEqual(['2026-11-21T13:30:00Z', until])
      expect(message?.body).not.toMatch(/UTC|北京/)
    }
  })

  test('name the machine as the reader calls it, never as a later owner does', async () => {
    const [owner, reader] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ owner: owner.userId, name: 'Shared name' })
    await write([note(reader, machine)])
    await site.db
      .updateTable('machines')
      .set({ name: 'Secret name of the next owner' })
      .where('id', '=', machine.machineId)
      .execute()
    expect((await page(reader)).list[0]?.machine?.name).toBe('Shared name')
    await site.listMachine(reader.userId, machine.machineId, 'Mine')
    const { list } = await page(reader)
    expect(list[0]?.machine?.name).toBe('Mine')
    expect(list[0]?.body).toContain('“Mine”')
  })
})

describe('pages', () => {
  test('are newest first, of one tab, found by machine, code and person, and by literal text only', async () => {
    const reader = await site.createUser()
    const [press, pump] = [
      await site.createMachine({ owner: reader.userId, name: 'Press 100%' }),
      await site.createMachine({ owner: reader.userId, name: 'Pump 1000' }),
    ]
    const wang = await site.createUser({ name: '王工' })
    const { id: applicationId } = await createApplication(pump.machineId, wang.userId)
    await write([note(reader, press, { params: { person: 'Li Na', right: 'bkey' } })])
    await write([note(reader, pump, { kind: 'bindApply', applicationId, params: {} })])
    await write([note(reader, pump, { params: { person: 'Zhou Min', right: 'bkey' } })])
    const bodiesOf = async (text: string, scene: contract.MessageTab = 'device') =>
      (await page(reader, { search: text, scene })).list.map((message) => message.machine?.name)
    expect(await bodiesOf('')).toEqual(['Pump 1000', 'Press 100%'])
    expect(await bodiesOf('press')).toEqual(['Press 100%'])
    expect(await bodiesOf('100%')).toEqual(['Press 100%'])
    expect(await bodiesOf(pump.code.slice(3, 12))).toEqual(['Pump 1000'])
    expect(await bodiesOf('li na')).toEqual(['Press 100%'])
    expect(await bodiesOf('王', 'inbox')).toEqual(['Pump 1000'])
    expect((await page(reader, { pageSize: 1, page: 2 })).list[0]?.machine?.name).toBe('Press 100%')
    const legacy = await site.as(reader).call(contract.listMessagesOfTab, { msgwhat: 5 })
    expect([legacy.total, legacy.list.length]).toEqual([2, 2])
  })

  test('the messages of others cannot be read, found, counted or cleared', async () => {
    const [reader, stranger] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ owner: reader.userId })
    await write([note(reader, machine)])
    const id = (await page(reader)).list[0]?.id ?? 0
    expect(await site.refusalOf(stranger, contract.getMessage, { id })).toBe('404')
    expect(await site.as(stranger).call(contract.readMessages, { ids: [id] })).toEqual({
      read: 0,
      totalUnreadMsg: 0,
    })
    expect((await site.as(stranger).call(contract.clearMessages, { ids: [id] })).deleted).toBe(0)
    expect((await site.as(stranger).call(contract.clearMessages, { scene: 'device' })).deleted).toBe(0)
    expect(await unreadOf(reader)).toBe(1)
  })

  test('of many messages are read from an index, even for a tab with few, never sorted', async () => {
    const reader = await site.createUser()
    const machine = await site.createMachine({ owner: reader.userId })
    await sql`
      insert into messages (user_id, tab, type, machine_id, read_at)
      select ${reader.userId}, case when n % 200 = 0 then 'device' else 'inbox' end, 'rightTaken',
             ${machine.machineId}, case when n % 1000 = 0 then null else now() end
      from generate_series(1, 20000) n`.execute(site.db)
    await sql`analyze messages`.execute(site.db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select id from messages where user_id = ${reader.userId} and tab = 'device'
      order by id desc offset 0 limit 20`.execute(site.db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('messages_tab')
    expect(plan).not.toContain('Sort')
    const { list, total, totalUnreadMsg } = await page(reader)
    expect([list.length, total, totalUnreadMsg]).toEqual([20, 100, 20])
    await sql`delete from messages where user_id = ${reader.userId}`.execute(site.db)
  })
})

describe('the number of unread messages', () => {
  test('is published to every page of the reader at once, after each message, reading and clearing', async () => {
    const reader = await site.createUser()
    const machine = await site.createMachine({ owner: reader.userId })
    const pages = await Promise.all([0, 1].map(() => openPage(reader)))
    const told = (count: number) =>
      Promise.all(
        pages.map((client) =>
          client.find((event) =>
            event.scene === 'unread' && event.unread.totalUnreadMsg === count ? true : undefined,
          ),
        ),
      )
    try {
      await write([
        note(reader, machine),
        note(reader, machine),
        note(reader, machine, { kind: 'visitApply' }),
      ])
      await told(3)
      const [first] = (await page(reader)).list
      const ids = [first?.id ?? 0]
      expect(await site.as(reader).call(contract.readMessages, { ids })).toEqual({
        read: 1,
        totalUnreadMsg: 2,
      })
      await told(2)
      expect((await site.as(reader).call(contract.readMessages, { ids })).read).toBe(0)
      expect((await page(reader, { read: true })).list.map(({ id }) => id)).toEqual(ids)
      await site.as(reader).call(contract.clearMessages, { scene: 'device' })
      await told(1)
      expect(await site.refusalOf(reader, contract.clearMessages, {})).toBe('400')
      await site.as(reader).call(contract.readMessages, { scene: 1 })
      await told(0)
    } finally {
      for (const client of pages) client.close()
    }
  })

  test('stays right when messages and reading come at once: the last published number is the true one', async () => {
    const reader = await site.createUser()
    const machine = await site.createMachine({ owner: reader.userId })
    await write(Array.from({ length: 5 }, () => note(reader, machine)))
    const earlier = (await page(reader)).list
    const client = await openPage(reader)
    try {
      await Promise.all([
        ...Array.from({ length: 20 }, () => write([note(reader, machine)])),
        ...earlier.map(({ id }) => site.as(reader).call(contract.readMessages, { ids: [id] })),
      ])
      const { seq } = await site.db
        .selectFrom('user_event_counts')
        .select('last_id as seq')
        .where('user_id', '=', reader.userId)
        .executeTakeFirstOrThrow()
      const last = await client.find((event) =>
        event.scene === 'unread' && event.id === String(seq) ? event.unread : undefined,
      )
      expect([last.totalUnreadMsg, await unreadOf(reader)]).toEqual([20, 20])
    } finally {
      client.close()
    }
  })

  test('counts a machine’s message about too many variables the moment it is written', async () => {
    const reader = await site.createUser()
    const machine = await site.createMachine({ owner: reader.userId, name: 'Chatty' })
    const client = await openPage(reader)
    try {
      const records = Array.from({ length: limits.tagsPerMachine + 1 }, (_, n) => ({
        ...({ kind: 'sample', group: '', tag: `t${n}`, type: 'float64', value: n } as const),
        ...{ quality: 192, time: undefined, late: false },
      }))
      await site.platform.telemetry.append(machine.machineId, records)
      const unread = await client.find((event) => (event.scene === 'unread' ? event.unread : undefined))
      expect([unread.totalUnreadMsg, unread.device]).toEqual([1, 1])
      expect((await page(reader)).list[0]?.body).toContain('“Chatty”发送的变量超过 5000 个')
    } finally {
      client.close()
    }
  })
})

describe('old messages', () => {
  test('are deleted 90 days after they were read, or after a year, and the reader gets the new number', async () => {
    const reader = await site.createUser()
    const machine = await site.createMachine({ owner: reader.userId })
    const now = Date.now()
    const made = async (createdDays: number, readDays: number | undefined) => {
      await write([note(reader, machine)], new Date(now - createdDays * dayMs))
      await site.db
        .updateTable('messages')
        .set({ read_at: readDays === undefined ? null : new Date(now - readDays * dayMs) })
        .where('user_id', '=', reader.userId)
        .where('created_at', '=', new Date(now - createdDays * dayMs))
        .execute()
    }
    await made(366, undefined)
    await made(364, undefined)
    await made(200, 91)
    await made(199, 89)
    const client = await openPage(reader)
    try {
      await removeOldMessages(site.db, mailbox, now)
      const { rows } = await listMessages(
        site.db,
        { userId: reader.userId, tab: 'device', search: '' },
        { offset: 0, count: 10 },
      )
      expect(rows.map((row) => Math.round((now - row.created_at.getTime()) / dayMs)).sort()).toEqual([
        199, 364,
      ])
      // The counts of the messages written before may still be on their way.
      await client.find((event) =>
        event.scene === 'unread' && event.unread.totalUnreadMsg === 1 ? event.unread : undefined,
      )
    } finally {
      client.close()
    }
  })
})

describe('messages that need an answer', () => {
  const asksOf = async (user: TestUser) => {
    const { totalUnreadMsg, toAnswer } = await site.as(user).call(contract.getTotalUnread, {})
    const { list, total } = await search(user, { scene: 'inbox', mayAnswer: true })
    return { totalUnreadMsg, toAnswer, total, types: list.map(({ type }) => type) }
  }

  test('is counted and listed apart from the unread messages, after it was read too', async () => {
    const [key, guest, owner] = [await site.createUser(), await site.createUser(), await site.createUser()]
    const own = await site.createMachine({ owner: key.userId })
    const offered = await site.createMachine({ owner: owner.userId })
    const { id: applicationId } = await createApplication(own.machineId, guest.userId)
    const { id: transferId } = await createTransfer(offered.machineId, owner.userId, key.userId)
    await write([
      note(key, own),
      note(key, own, { kind: 'visitApply', applicationId, params: {} }),
      note(key, offered, { kind: 'transferOffer', transferId, params: {} }),
    ])
    const types = ['transfer', 'visitApply']
    expect(await asksOf(key)).toEqual({ totalUnreadMsg: 3, toAnswer: 2, total: 2, types })
    await site.as(key).call(contract.readMessages, { scene: 'inbox' })
    expect(await asksOf(key)).toEqual({ totalUnreadMsg: 1, toAnswer: 2, total: 2, types })
    await site.db
      .updateTable('machine_transfers')
      .set({ state: 'withdrawn', answered_at: new Date() })
      .where('id', '=', transferId)
      .execute()
    expect(await asksOf(key)).toMatchObject({ toAnswer: 1, types: ['visitApply'] })
  })
})

describe('an application', () => {
  test('is shown in its present state, and its details only to its receiver', async () => {
    const [key, guest] = [
      await site.createUser(),
      await site.createUser({ name: '王工', phone: `139${String(Date.now()).slice(-8)}` }),
    ]
    const machine = await site.createMachine({ owner: key.userId })
    const { id: applicationId } = await createApplication(machine.machineId, guest.userId)
    await write([note(key, machine, { kind: 'visitApply', applicationId, params: {} })])
    const [waiting] = (await page(key, { scene: 'inbox' })).list
    expect(waiting).toMatchObject({ auditState: 0, mayAnswer: true, applyId: applicationId })
    const detail = await site.as(key).call(contract.getMessage, { id: waiting?.id ?? 0 })
    expect(detail.application).toMatchObject({ kind: 'visit', person: '王工', message: '换模具', wish: 'rw' })
    expect(detail.application?.phone).toMatch(/^139\*{4}\d{4}$/)
    await site.db
      .updateTable('applications')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', applicationId)
      .execute()
    expect((await page(key, { scene: 'inbox' })).list[0]).toMatchObject({ auditState: 6, mayAnswer: false })
  })

  test('an offered machine waits only for its receiver', async () => {
    const [owner, heir] = [await site.createUser({ name: '陈静' }), await site.createUser()]
    const machine = await site.createMachine({ owner: owner.userId, name: '空压机' })
    const { id: transferId } = await createTransfer(machine.machineId, owner.userId, heir.userId)
    await write([note(heir, machine, { kind: 'transferOffer', transferId, params: {} })])
    const [offer] = (await page(heir, { scene: 'inbox' })).list
    expect(offer).toMatchObject({
      type: 'transfer',
      transferId,
      mayAnswer: true,
      body: '陈静 请求将“空压机”转让给您，接受后您成为其 Akey',
    })
    await site.db
      .updateTable('machine_transfers')
      .set({ state: 'withdrawn', answered_at: new Date() })
      .where('id', '=', transferId)
      .execute()
    expect((await page(heir, { scene: 'inbox' })).list[0]?.mayAnswer).toBe(false)
  })
})

function createApplication(machineId: number, userId: number): Promise<{ id: number }> {
  return site.db
    .insertInto('applications')
    .values({
      kind: 'visit',
      machine_id: machineId,
      user_id: userId,
      message: '换模具',
      created_at: new Date(),
      expires_at: new Date(Date.now() + dayMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

function createTransfer(machineId: number, from: number, to: number): Promise<{ id: number }> {
  return site.db
    .insertInto('machine_transfers')
    .values({
      machine_id: machineId,
      from_user_id: from,
      to_user_id: to,
      created_at: new Date(),
      expires_at: new Date(Date.now() + dayMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}
