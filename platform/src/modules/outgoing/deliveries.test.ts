import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { smsStock as contract, type ErrorCode } from '@busbar/contract'
import { createUser, failureOf, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { useDatabase } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import smpp, { type Pdu, type Session } from 'smpp'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { deliveryReport } from '../../../test-support/delivery-mails.ts'
import { readConfig } from '../../config.ts'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import type { Database } from '../../kernel/database/database.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import { Facts } from '../../kernel/facts/facts.ts'
import { Jobs } from '../../kernel/jobs/index.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { readStock, reserveStock, stockFollowers } from '../sms-stock/index.ts'
import { noteDeliveryReports } from './deliveries.ts'
import { createOutgoing, type Outgoing, readDeliveryReport } from './index.ts'
import { AnswerLost, type Email, MessageRefused, type Sms } from './message.ts'
import { messageIdOf } from './message-id.ts'
import type { Providers } from './providers.ts'
import { openSmpp } from './smpp-provider.ts'
import { readReceipt } from './smpp-receipt.ts'

const token = 'a-token-of-the-sms-service-1'
const database = useDatabase()
let db: Database
let facts: Facts
const closers: (() => Promise<unknown> | unknown)[] = []
beforeAll(async () => {
  db = database.db
  facts = new Facts({ db, bus: createLocalBus(silentLogger), logger: silentLogger, now: Date.now })
  for (const follower of stockFollowers) facts.follow(follower)
  await facts.start()
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})
afterAll(async () => {
  await facts.stop()
})

const brand = {
  platformName: { cn: '母线', en: 'Busbar' },
  emailSender: 'no-reply@example.test',
  smsSignature: '',
}

/** The way out with these providers, on the platform's database and its facts. */
async function start(providers: Providers): Promise<Outgoing> {
  const jobs = new Jobs({
    db: db,
    bus: createLocalBus(silentLogger),
    logger: silentLogger,
    now: Date.now,
  })
  const outgoing = createOutgoing({
    db: db,
    jobs,
    facts,
    config: readConfig({}),
    logger: silentLogger,
    now: Date.now,
    brandOf: () => brand,
    providers,
  })
  jobs.declare(outgoing.jobs)
  await jobs.start()
  outgoing.start()
  closers.push(
    () => outgoing.close(),
    () => jobs.stop(),
  )
  return outgoing
}

let lastNotification = 5_000
/** A person who bought 10 segments, and an SMS of 2 that reserved them. */
async function queueSms(outgoing: Outgoing) {
  const { userId } = await createUser(db)
  const notificationId = ++lastNotification
  await withTransaction(db, async (trx) => {
    await sql`with made as (insert into sms_stocks (user_id, stock, created_at) values (${userId}, 10, now()) returning id)
      insert into sms_stock_records (stock_id, kind, segments, change, remaining, at)
      select id, 'recharge', 10, 10, 10, now() from made`.execute(trx)
    await reserveStock(trx, [{ notificationId, payer: { userId }, segments: 2 }], new Date())
    await outgoing.queueAll(trx, [
      {
        kind: 'sms',
        countryCode: '86',
        phone: '13812345678',
        text: '3#泵 温度过高',
        brandId: 1,
        lang: 'cn',
        purpose: 'alarm',
        notificationId,
      },
    ])
  })
  return { userId, notificationId }
}

const rowOf = (notificationId: number) =>
  db
    .selectFrom('outgoing')
    .selectAll()
    .where('notification_id', '=', notificationId)
    .executeTakeFirstOrThrow()
const factsOf = async (notificationId: number) =>
  (
    await sql<{ kind: string; payload: Record<string, unknown> }>`
      select kind, payload from facts where (payload->>'notificationId')::bigint = ${notificationId} order by id`.execute(
      db,
    )
  ).rows.map(({ kind, payload }) =>
    [kind, payload.isMaybeSecond ?? payload.why].filter((word) => word !== undefined),
  )
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000 })
const outcomesOf = async (id: number) =>
  (
    await db
      .selectFrom('outgoing_attempts')
      .select('outcome')
      .where('outgoing_id', '=', id)
      .orderBy('attempt')
      .execute()
  ).map(({ outcome }) => outcome)

/** An SMS service with a scripted result for each try. */
function scripted(...script: (Error | readonly string[])[]) {
  const tries: Sms[] = []
  const provider = {
    async send(message: Sms) {
      const step = script[tries.length] ?? []
      tries.push(message)
      if (step instanceof Error) throw step
      return step
    },
    async close() {},
  }
  return { tries, provider }
}

describe('the stock of a message', () => {
  test('is taken when the provider accepts it, with the fact of it', async () => {
    const { provider } = scripted(['id-1'])
    const { userId, notificationId } = await queueSms(await start({ sms: provider }))
    await eventually(async () => expect(await factsOf(notificationId)).toEqual([['message.accepted', false]]))
    expect(await readStock(db, { userId })).toBe(8)
    expect(await outcomesOf((await rowOf(notificationId)).id)).toEqual(['accepted'])
  })

  test('is given back when the provider refuses it', async () => {
    const { provider } = scripted(new MessageRefused('no such number'))
    const { userId, notificationId } = await queueSms(await start({ sms: provider }))
    await eventually(async () =>
      expect(await factsOf(notificationId)).toEqual([['message.refused', 'refused']]),
    )
    expect(await readStock(db, { userId })).toBe(10)
  })
})

test('a message whose answer was lost is sent again, and its acceptance is marked as possibly the second', async () => {
  const { provider, tries } = scripted(new AnswerLost('closed'), ['id-2'])
  const outgoing = await start({ sms: provider })
  const { notificationId } = await queueSms(outgoing)
  const { id } = await rowOf(notificationId)
  await eventually(async () => expect(await outcomesOf(id)).toEqual(['unknown']))
  await sql`update jobs.job set start_after = now() where state = 'retry'`.execute(db)
  await eventually(async () => expect(await factsOf(notificationId)).toEqual([['message.accepted', true]]))
  expect(tries).toHaveLength(2)
  expect(await outcomesOf(id)).toEqual(['unknown', 'accepted'])
  expect(outgoing.metrics()).toMatchObject([
    {
      name: 'busbar_messages_maybe_twice_total',
      samples: [
        { labels: { kind: 'sms' }, value: 1 },
        { labels: { kind: 'email' }, value: 0 },
      ],
    },
  ])
})

test('a message that was never handed over is not counted as sent twice', async () => {
  const { provider } = scripted(new Error('connect ECONNREFUSED'), ['id-3'])
  const { notificationId } = await queueSms(await start({ sms: provider }))
  const { id } = await rowOf(notificationId)
  await eventually(async () => expect(await outcomesOf(id)).toEqual(['failed']))
  await sql`update jobs.job set start_after = now() where state = 'retry'`.execute(db)
  await eventually(async () => expect(await factsOf(notificationId)).toEqual([['message.accepted', false]]))
})

describe('the callback of an SMS service', () => {
  let site: TestPlatform
  beforeAll(async () => {
    site = await startTestPlatform({ SMS_RECEIPT_TOKEN: token })
  })
  afterAll(() => site.stop())

  const report = (bizId: string, success: boolean, secret = token) =>
    fetch(`${site.url}/api/v1/sms/receipts/${secret}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ phone_number: '1', biz_id: bizId, success, err_code: 'UNDELIV', extra: 1 }]),
    })

  test('reports once that a message arrived, whatever it sends later', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into outgoing (kind, country_code, recipient, text, state, created_at, sent_at)
      values ('sms', '86', '13812345678', '', 'sent', now(), now()) returning id`.execute(site.db)
    const id = rows[0]?.id ?? 0
    await sql`insert into outgoing_parts (provider, provider_id, outgoing_id, at)
      values ('http', 'biz-1', ${id}, now())`.execute(site.db)
    const answer = await report('biz-1', true)
    expect([answer.status, await answer.json()]).toEqual([200, { code: 0, msg: 'ok' }])
    await report('biz-1', false)
    const row = await site.db
      .selectFrom('outgoing')
      .select('delivery')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row?.delivery).toBe('delivered')
  })

  test('with another token gets 403', async () => {
    expect((await report('biz-9', true, 'another-token-of-the-service')).status).toBe(403)
    const call = await failureOf(site.as(undefined), contract.noteSmsReceipts, {
      token: 'x'.repeat(24),
      reports: [],
    })
    expect(call.code).toBe('403' satisfies ErrorCode)
  })
})

describe('a receipt', () => {
  test('that comes before the acceptance is committed is not lost', async () => {
    const { provider } = scripted(['early-1', 'early-2'])
    const outgoing = await start({ sms: provider })
    await outgoing.noteReceipts('smpp', [{ providerId: 'early-1', state: 'delivered', error: '' }])
    const { notificationId } = await queueSms(outgoing)
    await eventually(async () => expect((await rowOf(notificationId)).state).toBe('sent'))
    expect((await rowOf(notificationId)).delivery).toBeNull()
    await outgoing.noteReceipts('smpp', [{ providerId: 'early-2', state: 'failed', error: 'UNDELIV' }])
    expect((await rowOf(notificationId)).delivery).toBe('failed')
  })

  test.each([
    [
      { esm_class: 4, short_message: { message: 'id:17 sub:001 dlvrd:001 stat:DELIVRD err:000' } },
      'delivered',
    ],
    [{ esm_class: 4, short_message: { message: 'id:17 stat:UNDELIV err:034 text:x' } }, 'failed'],
    [{ esm_class: 4, receipted_message_id: '17', message_state: 5 }, 'failed'],
    [{ esm_class: 4, short_message: { message: 'id:17 stat:ENROUTE' } }, undefined],
    [{ esm_class: 0, short_message: { message: 'id:17 stat:DELIVRD' } }, undefined],
  ])('of SMPP is read: %j is %s', (pdu, state) => {
    const receipt = readReceipt(pdu as unknown as Pdu)
    expect(receipt?.state).toBe(state)
    if (receipt) expect(receipt.providerId).toBe('17')
  })
})

describe('a message centre that speaks SMPP', () => {
  async function startCentre(answerBind: (command: string) => number = () => 0) {
    const sessions: Session[] = []
    const answers: Pdu[] = []
    const centre = smpp.createServer((session) => {
      session.on('error', () => {})
      for (const command of ['bind_transceiver', 'bind_transmitter'])
        session.on(command, (pdu: Pdu) => {
          sessions.push(session)
          session.send(pdu.response({ command_status: answerBind(command) }))
        })
      session.on('submit_sm', (pdu: Pdu) => session.send(pdu.response({ message_id: 'part-1' })))
      session.on('deliver_sm_resp', (pdu: Pdu) => answers.push(pdu))
      session.on('unbind', (pdu: Pdu) => {
        session.send(pdu.response())
        session.close()
      })
    })
    await once(centre.listen(0, '127.0.0.1'), 'listening')
    closers.push(() => new Promise<void>((resolve) => centre.close(() => resolve())))
    const { port } = centre.address() as AddressInfo
    const provider = openSmpp(
      {
        host: '127.0.0.1',
        port,
        tls: false,
        systemId: 'b',
        password: 'p',
        sender: '',
      },
      silentLogger,
    )
    closers.push(() => provider.close())
    return { provider, sessions, answers }
  }

  test('reports arrivals over the same connection, and is answered once they are stored', async () => {
    const { provider, sessions, answers } = await startCentre()
    const { notificationId } = await queueSms(await start({ sms: provider }))
    await eventually(async () => expect((await rowOf(notificationId)).state).toBe('sent'))
    const message = { message: 'id:part-1 sub:001 dlvrd:001 stat:DELIVRD err:000 text:' }
    const session = sessions.at(-1) as Session & { deliver_sm(options: object): boolean }
    session.deliver_sm({ esm_class: 4, short_message: message })
    await eventually(async () => expect((await rowOf(notificationId)).delivery).toBe('delivered'))
    await eventually(async () => expect(answers.map((pdu) => pdu.command_status)).toEqual([0]))
  })

  test('that lets this account only send is bound for sending', async () => {
    const { provider } = await startCentre((command) => (command === 'bind_transceiver' ? 0x0d : 0))
    const sms = { countryCode: '86', phone: '1', text: 'x', params: {}, signature: '', template: '' }
    expect(await provider.send(sms)).toEqual(['part-1'])
  })
})

describe('an e-mail', () => {
  test('that comes back is identified by its Message-ID, and an invented one is not', async () => {
    const sent: Email[] = []
    const send = async (email: Email) => {
      sent.push(email)
      return []
    }
    const outgoing = await start({ email: { send, close: async () => {} } })
    const notificationId = ++lastNotification
    await outgoing.queue(db, {
      kind: 'email',
      mail: 'code',
      to: 'li@example.test',
      subject: 'x',
      text: 'x',
      html: 'x',
      brandId: 1,
      lang: 'cn',
      notificationId,
    })
    await eventually(async () => expect((await rowOf(notificationId)).state).toBe('sent'))
    const [email] = sent
    const noting = { facts, now: Date.now() }
    const note = (mail: string) => {
      const report = readDeliveryReport(mail)
      return withTransaction(db, (trx) => noteDeliveryReports({ ...noting, trx }, report ? [report] : []))
    }
    const { id } = await rowOf(notificationId)
    expect(await note(deliveryReport(messageIdOf(id, 'x'.repeat(22), 'a@example.test')))).toBe(0)
    const messageId = email?.messageId ?? ''
    expect(await note(deliveryReport(messageId))).toBe(1)
    expect(await note(deliveryReport(messageId))).toBe(0)
    expect((await rowOf(notificationId)).delivery).toBe('failed')
    // The mail system reports later that it arrived after all.
    expect(await note(deliveryReport(messageId, { action: 'delivered', status: '2.0.0' }))).toBe(1)
    expect((await rowOf(notificationId)).delivery).toBe('delivered')
    expect((await factsOf(notificationId)).map(([kind]) => kind)).toEqual([
      'message.accepted',
      'message.undelivered',
      'message.delivered',
    ])
  })
})

describe('busbar bounce', () => {
  let site: TestPlatform
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'busbar-bounce-'))
    await writeFile(join(folder, 'token'), `${token}\n`)
    await writeFile(join(folder, 'other'), 'x'.repeat(24))
    site = await startTestPlatform({ BOUNCE_TOKEN_FILE: join(folder, 'token') })
  })
  afterAll(async () => {
    await site.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs the program as an alias does, with no setting and no folder of the platform; answers its exit code. */
  async function pass(mail: string, file: string, url = site.url): Promise<number> {
    const args = ['bounce', '--url', url, '--token-file', join(folder, file)]
    const main = join(import.meta.dirname, '../../cli/main.ts')
    const child = spawn(process.execPath, [main, ...args], { env: {}, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.end(mail)
    const [code] = await once(child, 'exit')
    return code
  }

  test('reports a bounce without access to the database, with a secret that opens nothing else', async () => {
    const mailToken = 'm'.repeat(22)
    const { rows } = await sql<{ id: number }>`
      insert into outgoing (kind, recipient, text, state, created_at, sent_at, mail_token)
      values ('email', 'li@example.test', '', 'sent', now(), now(), ${mailToken}) returning id`.execute(
      site.db,
    )
    const id = rows[0]?.id ?? 0
    const mail = deliveryReport(messageIdOf(id, mailToken, 'a@plant.test'))
    const deliveryOf = async () =>
      (await site.db.selectFrom('outgoing').select('delivery').where('id', '=', id).executeTakeFirst())
        ?.delivery
    expect(await pass(mail, 'other')).toBe(75)
    expect(await pass(mail, 'token', 'http://127.0.0.1:1')).toBe(75)
    expect(await pass('Message-ID: <hello@example.test>', 'token')).toBe(0)
    expect(await deliveryOf()).toBeNull()
    expect(await pass(mail, 'token')).toBe(0)
    expect(await deliveryOf()).toBe('failed')
  })
})
