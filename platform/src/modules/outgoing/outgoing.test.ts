import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { useDatabase } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import smpp, { type Pdu } from 'smpp'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type FullTable, fillDiskOf } from '../../../test-support/full-disk.ts'
import { readConfig } from '../../config.ts'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import type { NewFact } from '../../kernel/facts/fact-kinds.ts'
import { Jobs } from '../../kernel/jobs/index.ts'
import { silentLogger } from '../../kernel/logger.ts'
import {
  attachmentName,
  createOutgoing,
  type OpenAttachment,
  type Outgoing,
  type OutgoingMessage,
} from './index.ts'
import type { Email } from './message.ts'
import { AnswerLost, MessageRefused } from './message.ts'
import { openProviders, type Providers } from './providers.ts'
import { openSignedHttp, signQuery } from './signed-http-provider.ts'
import { openSmpp } from './smpp-provider.ts'
import { openSmtp } from './smtp-provider.ts'

const database = useDatabase()
const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  await database.db.deleteFrom('outgoing').execute()
  recorded.length = 0
  await sql`truncate jobs.job_common cascade`.execute(database.db)
})

const sms: OutgoingMessage = {
  kind: 'sms',
  countryCode: '86',
  phone: '13812345678',
  text: '您的验证码是 AB12',
  params: { code: 'AB12' },
  brandId: 1,
}
const email = {
  kind: 'email',
  mail: 'code',
  to: 'li@example.test',
  subject: '母线工业云验证码',
  text: '您的验证码\n\n    AB12\n',
  html: '<p>AB12</p>',
  brandId: 1,
  lang: 'cn',
} satisfies OutgoingMessage
const brand = {
  platformName: { cn: '母线工业云', en: 'Busbar' },
  emailSender: 'no-reply@example.test',
  smsSignature: '母线',
}

let jobs: Jobs
const recorded: NewFact[] = []
const facts = {
  async record(_: unknown, fact: NewFact) {
    recorded.push(fact)
  },
  async recordAll(_: unknown, all: readonly NewFact[]) {
    recorded.push(...all)
  },
}

async function start(
  providers: Providers,
  mayStillNotify: (notificationId: number) => Promise<boolean> = async () => true,
  openAttachment?: OpenAttachment,
): Promise<Outgoing> {
  jobs = new Jobs({ db: database.db, bus: createLocalBus(silentLogger), logger: silentLogger, now: Date.now })
  const outgoing = createOutgoing({
    db: database.db,
    jobs,
    facts,
    config: readConfig({}),
    logger: silentLogger,
    now: Date.now,
    brandOf: () => brand,
    providers,
    mayStillNotify,
    openAttachment,
  })
  jobs.declare(outgoing.jobs)
  await jobs.start()
  closers.push(
    () => outgoing.close(),
    () => jobs.stop(),
  )
  return outgoing
}

const readRow = () => database.db.selectFrom('outgoing').selectAll().executeTakeFirst()

/** The one message of a test, once it is in this state. */
async function rowIn(state: string) {
  for (const giveUpAt = performance.now() + 10_000; performance.now() < giveUpAt; ) {
    const row = await readRow()
    if (row?.state === state) return row
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`the message is not ${state} but ${JSON.stringify(await readRow())}`)
}

/** A provider with a scripted result for each try. */
function scripted(...script: (Error | undefined)[]) {
  const tries: Email[] = []
  return {
    tries,
    provider: {
      async send(message: Email) {
        tries.push(message)
        const error = script[tries.length - 1]
        if (error) throw error
        return []
      },
      async close() {},
    },
  }
}

describe('the queue', () => {
  test('sends nothing of a transaction that is rolled back', async () => {
    const { tries, provider } = scripted()
    const outgoing = await start({ email: provider })
    const undone = database.db.transaction().execute(async (trx) => {
      await outgoing.queue(trx, { ...email, to: 'undone@example.test' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await database.db.transaction().execute((trx) => outgoing.queue(trx, email))
    await rowIn('sent')
    expect(tries.map(({ to }) => to)).toEqual(['li@example.test'])
  })

  test('tries again when the other side was away, and deletes the text once it is sent', async () => {
    const { tries, provider } = scripted(new Error('connect ECONNREFUSED'), undefined)
    const outgoing = await start({ email: provider })
    await outgoing.queue(database.db, email)
    const waiting = await (async () => {
      for (;;) {
        const row = await readRow()
        if (row?.error) return row
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })()
    expect(waiting).toMatchObject({ state: 'queued', tries: 1, error: 'connect ECONNREFUSED' })
    await sql`update jobs.job set start_after = now()`.execute(database.db)
    jobs.wake('email')
    expect(await rowIn('sent')).toMatchObject({ tries: 2, text: '', html: '', error: '' })
    expect(tries).toHaveLength(2)
  })

  test('a message cancelled in the middle of a try is not sent by the next start', async () => {
    const began = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const provider = {
      async send() {
        began.resolve()
        await answer.promise
        return []
      },
      async close() {},
    }
    const outgoing = await start({ email: provider })
    await outgoing.queue(database.db, email)
    await began.promise
    const { rows } = await sql<{ id: string }>`select id from jobs.job_common`.execute(database.db)
    await withTransaction(database.db, (trx) => jobs.cancel(trx, 'email', rows[0]?.id ?? ''))
    answer.reject(new Error('connect ECONNREFUSED'))
    await jobs.stop()
    expect(await readRow()).toMatchObject({ state: 'failed', error: 'cancelled' })
  })

  test('a notification that waited for its provider is not sent to a person who lost the right', async () => {
    const { tries, provider } = scripted(new Error('connect ECONNREFUSED'))
    let hasRight = true
    const outgoing = await start({ email: provider }, async () => hasRight)
    await outgoing.queue(database.db, { ...email, notificationId: 7, purpose: 'alarm' })
    await vi.waitFor(async () => expect((await readRow())?.error).toBe('connect ECONNREFUSED'))
    hasRight = false
    await sql`update outgoing set created_at = now() - interval '1 minute'`.execute(database.db)
    await sql`update jobs.job set start_after = now()`.execute(database.db)
    jobs.wake('email')
    expect(await rowIn('failed')).toMatchObject({ text: '', html: '' })
    expect(tries).toHaveLength(1)
    expect(recorded).toMatchObject([{ kind: 'message.refused', notificationId: 7, why: 'noRight' }])
  })

  test('a withheld message writes a job like one that is sent, and is not sent', async () => {
    const { tries, provider } = scripted()
    const outgoing = await start({ email: provider })
    await outgoing.queue(database.db, email, { withhold: true })
    await vi.waitFor(async () => {
      const { rows } = await sql`select state::text from jobs.job_common`.execute(database.db)
      expect(rows).toEqual([{ state: 'completed' }])
    })
    expect(tries).toEqual([])
    expect(await readRow()).toMatchObject({ state: 'withheld' })
  })

  test('a message is sent once when the disk is full at the moment of its acceptance', async () => {
    const sent = Promise.withResolvers<FullTable>()
    const { tries, provider } = scripted()
    const outgoing = await start({
      email: {
        ...provider,
        async send(message: Email) {
          const ids = await provider.send(message)
          sent.resolve(await fillDiskOf(database.db, 'outgoing_attempts'))
          return ids
        },
      },
    })
    await outgoing.queue(database.db, email)
    const disk = await sent.promise
    await disk.met()
    await disk.giveRoom()
    await rowIn('sent')
    expect(tries).toHaveLength(1)
  })

  test('a refusal is the end of it', async () => {
    const { tries, provider } = scripted(new MessageRefused('550 no such mailbox'))
    const outgoing = await start({ email: provider })
    await outgoing.queue(database.db, email)
    expect(await rowIn('failed')).toMatchObject({ error: '550 no such mailbox', text: '' })
    expect(tries).toHaveLength(1)
  })

  test('keeps the text of a message given up, so that an operator can have it sent again', async () => {
    const away = new Error('connect ECONNREFUSED')
    const { tries, provider } = scripted(away, away, away, away, away, undefined)
    const outgoing = await start({ email: provider })
    await outgoing.queue(database.db, email)
    for (let failed = 1; failed <= 4; failed++) {
      await vi.waitFor(async () => {
        const { rows } = await sql<{ id: string }>`update jobs.job set start_after = now()
          where state = 'retry' and retry_count = ${failed - 1} returning id`.execute(database.db)
        expect(rows).toHaveLength(1)
      })
      jobs.wake('email')
    }
    expect(await rowIn('failed')).toMatchObject({ tries: 5, text: email.text })
    const { rows } = await vi.waitFor(async () => {
      const found = await sql<{ id: string }>`select id from jobs.job where state = 'failed'`.execute(
        database.db,
      )
      expect(found.rows).toHaveLength(1)
      return found
    })
    await jobs.retry(database.db, 'email', rows[0]?.id ?? '')
    expect(await rowIn('sent')).toMatchObject({ tries: 6, text: '' })
    expect(tries).toHaveLength(6)
  })

  test('a message whose processes were killed too often is failed, and does not stay queued', async () => {
    const { provider } = scripted()
    const outgoing = await start({ email: provider })
    await jobs.stop()
    await outgoing.queue(database.db, email)
    await sql`update jobs.job set state = 'active', started_on = now(), retry_count = retry_limit,
      heartbeat_on = now() - interval '1 minute'`.execute(database.db)
    await start({ email: provider })
    expect(await rowIn('failed')).toMatchObject({
      error: 'the process that ran it is gone',
      text: email.text,
    })
  })

  test('messages that a restored backup holds without jobs are sent after the start', async () => {
    const { tries, provider } = scripted()
    await (await start({ email: provider })).queue(database.db, { ...email, to: 'sent@example.test' })
    await rowIn('sent')
    await jobs.stop()
    await (await start({ email: provider })).close()
    await jobs.stop()
    const queuing = createOutgoing({
      db: database.db,
      jobs: { sendAll: async () => {} },
      facts,
      config: readConfig({}),
      logger: silentLogger,
      now: Date.now,
      brandOf: () => brand,
      providers: { email: provider },
    })
    await queuing.queue(database.db, email)
    await start({ email: provider })
    await vi.waitFor(() =>
      expect(tries.map(({ to }) => to)).toEqual(['sent@example.test', 'li@example.test']),
    )
  })

  test('a mail server that quotes address and code puts neither into the errors of jobs', async () => {
    const send = async ({ to, text }: Email) => {
      throw new Error(`554 <${to}> refused: ${text}`)
    }
    const outgoing = await start({ email: { send, close: async () => {} } })
    await outgoing.queue(database.db, { ...email, text: 'Your code is AB12' })
    const listErrors = async () =>
      (await sql<{ output: object | null }>`select output from jobs.job_common`.execute(database.db)).rows
    await vi.waitFor(async () => expect(JSON.stringify(await listErrors())).toContain('554'), {
      timeout: 10_000,
    })
    const kept = JSON.stringify([await listErrors(), (await readRow())?.error])
    expect(kept).toContain('554 <[hidden]> refused: Your code is [hidden]')
    expect(kept).not.toMatch(/AB12|li@example/)
  })

  test('an SMS service that does not answer keeps no e-mail waiting', async () => {
    const { promise: silence, resolve: giveUp } = Promise.withResolvers<void>()
    const { provider } = scripted()
    const outgoing = await start({
      email: provider,
      sms: { send: () => silence.then(() => []), close: async () => {} },
    })
    try {
      for (let i = 0; i < 10; i++) await outgoing.queue(database.db, sms)
      // Only some of them are handed over before the first is answered.
      const listTried = () => database.db.selectFrom('outgoing').select('id').where('tries', '=', 1).execute()
      await vi.waitFor(async () => expect(await listTried()).not.toEqual([]), { timeout: 10_000 })
      await outgoing.queue(database.db, email)
      const isSent = async () => {
        const rows = await database.db
          .selectFrom('outgoing')
          .select('state')
          .where('kind', '=', 'email')
          .execute()
        expect(rows).toEqual([{ state: 'sent' }])
      }
      await vi.waitFor(isSent, { timeout: 10_000 })
    } finally {
      giveUp()
    }
  })

  test('without a provider a message stays for the operator, but not a withheld one', async () => {
    const outgoing = await start({})
    await outgoing.queue(database.db, sms)
    expect(await readRow()).toMatchObject({ state: 'kept', text: sms.text, country_code: '86' })
    await database.db.deleteFrom('outgoing').execute()
    await outgoing.queue(database.db, sms, { withhold: true })
    expect(await readRow()).toMatchObject({
      state: 'withheld',
      text: 'x'.repeat(sms.text.length),
      params: {},
    })
  })
})

describe('an e-mail by SMTP', () => {
  async function startSmtp(refuse = false) {
    const got: string[] = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo(address, _, callback) {
        const error = Object.assign(new Error('no such mailbox'), { responseCode: 550 })
        callback(refuse && address.address === 'li@example.test' ? error : null)
      },
      onData(stream, _, callback) {
        let text = ''
        stream.on('data', (chunk) => {
          text += chunk
        })
        stream.on('end', () => {
          got.push(text)
          callback()
        })
      },
    })
    const listening = once(server.listen(0, '127.0.0.1'), 'listening')
    await listening
    closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const { port } = server.server.address() as AddressInfo
    const smtp = { host: '127.0.0.1', port, secure: false, auth: undefined }
    return { got, smtp }
  }

  test('arrives in both forms from the brand’s sender', async () => {
    const { got, smtp } = await startSmtp()
    const outgoing = await start({ email: openSmtp({ ...smtp, requireTls: false }) })
    await outgoing.queue(database.db, email)
    await rowIn('sent')
    expect(got[0]).toMatch(/^From: =\?UTF-8\?.+ <no-reply@example\.test>/m)
    expect(got[0]).toContain('To: li@example.test')
    expect(got[0]).toContain('Content-Type: text/plain')
    expect(got[0]).toContain('Content-Type: text/html')
  })

  const report = { key: 'report/1', contentType: 'application/pdf', bytes: 9 }

  test('carries a file, with its name in Chinese, and opens it anew for another try', async () => {
    const { got, smtp } = await startSmtp()
    const opened: string[] = []
    const away = openSmtp({ ...smtp, port: 1, requireTls: false })
    const there = openSmtp({ ...smtp, requireTls: false })
    let tries = 0
    const provider: Providers['email'] = {
      send: (message) => (tries++ === 0 ? away : there).send(message),
      close: async () => void (await Promise.all([away.close(), there.close()])),
    }
    const outgoing = await start({ email: provider }, undefined, async (key) => {
      opened.push(key)
      return Readable.from([Buffer.from('%PDF-1.7\n')])
    })
    const name = attachmentName('日报 1/2', 'pdf')
    await outgoing.queue(database.db, { ...email, attachments: [{ ...report, name }] })
    await vi.waitFor(async () => expect((await readRow())?.error).toContain('ECONNREFUSED'))
    await sql`update jobs.job_common set start_after = now() where state = 'retry'`.execute(database.db)
    jobs.wake('email')
    await rowIn('sent')
    expect(opened).toEqual(['report/1', 'report/1'])
    const parsed = got[0] ?? ''
    expect(parsed).toContain('Content-Type: application/pdf')
    expect(parsed).toContain(Buffer.from('%PDF-1.7\n').toString('base64'))
    expect(parsed).toContain(`filename*0*=utf-8''${encodeURIComponent('日报 1 2.pdf')}`)
  })

  test('an e-mail whose file is gone, or may not be sent any more, is not sent', async () => {
    const { got, smtp } = await startSmtp()
    const outgoing = await start(
      { email: openSmtp({ ...smtp, requireTls: false }) },
      undefined,
      async () => undefined,
    )
    await outgoing.queue(database.db, { ...email, attachments: [{ ...report, name: 'a.pdf' }] })
    expect(await rowIn('failed')).toMatchObject({
      error: 'an attachment is not available any more',
      text: '',
    })
    expect(got).toEqual([])
  })

  test('files too large for an e-mail are not taken', async () => {
    const outgoing = await start({ email: scripted().provider })
    const large = { ...report, name: 'a.pdf', bytes: 6 * 1024 * 1024 }
    await expect(
      outgoing.queue(database.db, { ...email, attachments: [large, large] }),
    ).rejects.toBeInstanceOf(RangeError)
  })

  test('the name of a file is one line without folders', () => {
    expect(attachmentName('../../etc/passwd\r\nBcc: a@b', 'csv')).toBe('etc passwd Bcc a@b.csv')
    expect(attachmentName('..', 'csv')).toBe('file.csv')
    expect(Array.from(attachmentName('报'.repeat(300), 'xlsx'))).toHaveLength(120)
  })

  test('a missing mailbox is a refusal; a server without TLS gets no password', async () => {
    const { got, smtp } = await startSmtp(true)
    const provider = openSmtp({ ...smtp, requireTls: false })
    const strict = openSmtp({ ...smtp, requireTls: true, auth: { user: 'u', pass: 'secret' } })
    closers.push(
      () => provider.close(),
      () => strict.close(),
    )
    const from = { name: '', address: 'a@example.test' }
    const message = { ...email, from, messageId: 'busbar.1.x@example.test', unsubscribeUrl: '', files: [] }
    await expect(provider.send(message)).rejects.toBeInstanceOf(MessageRefused)
    await expect(strict.send({ ...message, to: 'other@example.test' })).rejects.toThrow(/TLS/i)
    expect(got).toEqual([])
  })
})

test('after a mail server’s double answer the next message counts as possibly accepted, and is recorded so', async () => {
  let taken = 0
  const server = createTcpServer((socket) => {
    const say = (line: string) => socket.write(`${line}\r\n`)
    let isData = false
    say('220 mail.example.test')
    createInterface({ input: socket }).on('line', (line) => {
      if (isData && line !== '.') return
      if (isData) {
        isData = false
        taken++
        say(taken === 1 ? '250 queued\r\n250 queued' : '250 queued')
      } else if (line === 'DATA') {
        isData = true
        say('354 go on')
      } else say('250 ok')
    })
    socket.on('error', () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const provider = openSmtp({ host: '127.0.0.1', port, secure: false, requireTls: false, auth: undefined })
  closers.push(
    () => new Promise<void>((resolve) => server.close(() => resolve())),
    () => provider.close(),
  )
  const from = { name: '', address: 'a@example.test' }
  const message = { ...email, from, messageId: 'busbar.1.x@example.test', unsubscribeUrl: '', files: [] }
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => provider.send(message)))
  // Each that may have been accepted is marked so.
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(failures.filter((error) => !(error instanceof AnswerLost))).toEqual([])
  expect(outcomes.length - failures.length).toBeLessThanOrEqual(taken)
})

describe('an SMS by SMPP', () => {
  async function startCentre(answer: (submitted: Pdu) => number) {
    const got: Pdu[] = []
    let bound = 0
    const centre = smpp.createServer((session) => {
      session.on('error', () => {})
      session.on('bind_transceiver', (pdu: Pdu) => {
        bound++
        const isKnown = pdu.system_id === 'busbar' && pdu.password === 'secret'
        session.send(pdu.response(isKnown ? {} : { command_status: 0x0e }))
      })
      session.on('submit_sm', (pdu: Pdu) => {
        got.push(pdu)
        session.send(pdu.response({ command_status: answer(pdu), message_id: String(got.length) }))
      })
      session.on('unbind', (pdu: Pdu) => {
        session.send(pdu.response())
        session.close()
      })
    })
    await once(centre.listen(0, '127.0.0.1'), 'listening')
    closers.push(() => new Promise<void>((resolve) => centre.close(() => resolve())))
    const { port } = centre.address() as AddressInfo
    const open = (password = 'secret') => {
      const server = { host: '127.0.0.1', port, tls: false, systemId: 'busbar', password, sender: '10690' }
      const provider = openSmpp(server, silentLogger)
      closers.push(() => provider.close())
      return provider
    }
    return { got, open, boundTimes: () => bound }
  }
  const message = {
    countryCode: '86',
    phone: '13812345678',
    params: {},
    signature: '母线',
    template: '',
  }

  test('arrives signed; a long one in parts that are put together again', async () => {
    const { got, open, boundTimes } = await startCentre(() => 0)
    const provider = open()
    await provider.send({ ...message, text: '您的验证码是 AB12' })
    expect(got[0]).toMatchObject({ destination_addr: '8613812345678', data_coding: 8 })
    expect(got[0]?.short_message?.message).toBe('【母线】您的验证码是 AB12')
    const text = `${'报警'.repeat(32)}😀${'报警'.repeat(40)}`
    await provider.send({ ...message, signature: '', text })
    const parts = got.slice(1)
    expect(parts).toHaveLength(3)
    expect(parts.map((part) => part.short_message?.message).join('')).toBe(text)
    expect(parts.map((part) => part.short_message?.udh?.[0]?.subarray(-2))).toEqual(
      [1, 2, 3].map((place) => Buffer.from([3, place])),
    )
    expect(boundTimes()).toBe(1)
  })

  test('a throttled one may be tried again, a wrong number not; a wrong password is not a refusal', async () => {
    const { open } = await startCentre((pdu) => (pdu.destination_addr === '861' ? 0x0b : 0x58))
    const provider = open()
    const throttled = await provider.send({ ...message, text: 'x' }).catch((error) => error)
    expect(throttled).toBeInstanceOf(Error)
    expect(throttled).not.toBeInstanceOf(MessageRefused)
    await expect(provider.send({ ...message, phone: '1', text: 'x' })).rejects.toBeInstanceOf(MessageRefused)
    await expect(open('wrong').send({ ...message, text: 'x' })).rejects.toThrow(/bind refused/)
  })
})

describe('an SMS by signed HTTP', () => {
  async function startService(answer: () => { status: number; body: string }) {
    const got: URLSearchParams[] = []
    const server: Server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      got.push(new URLSearchParams(body))
      const { status, body: text } = answer()
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    closers.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const templates = { template: 'SMS_1', noticeTemplate: 'SMS_2' }
    const provider = openSignedHttp({ url, accessKeyId: 'testId', secret: 'testSecret', ...templates })
    return { got, provider }
  }
  const message = {
    countryCode: '86',
    phone: '13812345678',
    params: { code: 'AB12' },
    signature: '母线',
    template: '',
  }

  test('is signed over all its contents', async () => {
    const { got, provider } = await startService(() => ({ status: 200, body: '{"Code":"OK"}' }))
    await provider.send({ ...message, text: 'x' })
    const { Signature, ...said } = Object.fromEntries(got[0] ?? [])
    expect(said).toMatchObject({
      PhoneNumbers: '13812345678',
      SignName: '母线',
      TemplateCode: 'SMS_1',
      TemplateParam: '{"code":"AB12"}',
    })
    expect(signQuery(said, 'testSecret', 'POST')).toContain(
      `Signature=${encodeURIComponent(Signature ?? '')}&`,
    )
    expect(signQuery({ ...said, PhoneNumbers: '13900000000' }, 'testSecret', 'POST')).not.toContain(
      encodeURIComponent(Signature ?? ''),
    )
  })

  test('a notice is sent with a separate template', async () => {
    const { got, provider } = await startService(() => ({ status: 200, body: '{"Code":"OK"}' }))
    await provider.send({ ...message, params: {}, text: 'Your password was changed' })
    expect(Object.fromEntries(got[0] ?? [])).toMatchObject({
      TemplateCode: 'SMS_2',
      TemplateParam: '{"text":"Your password was changed"}',
    })
  })

  test('the example of Aliyun’s own documentation comes out the same', () => {
    const parameters = {
      AccessKeyId: 'testid',
      Action: 'DescribeRegions',
      Format: 'XML',
      SignatureMethod: 'HMAC-SHA1',
      SignatureNonce: '3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf',
      SignatureVersion: '1.0',
      Timestamp: '2016-02-23T12:46:24Z',
      Version: '2014-05-26',
    }
    expect(signQuery(parameters, 'testsecret', 'GET')).toContain(
      `Signature=${encodeURIComponent('OLeaidS1JvxuMvnyHOwuJ+uX5qY=')}&`,
    )
  })

  test.each([
    ['{"Code":"isv.MOBILE_NUMBER_ILLEGAL"}', 200, true],
    ['{"Code":"isv.BUSINESS_LIMIT_CONTROL"}', 200, false],
    ['{"Code":"isp.SYSTEM_ERROR"}', 200, false],
    ['<html>', 502, false],
  ])('%s is a refusal: %s', async (body, status, isRefusal) => {
    const { provider } = await startService(() => ({ status, body }))
    const error = await provider.send({ ...message, text: 'x' }).catch((reason) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(error instanceof MessageRefused).toBe(isRefusal)
  })

  test.each([
    [504, '<html>Gateway Timeout</html>', true],
    [200, '', true],
    [404, '<html>Not Found</html>', false],
    [503, '{"Code":"ServiceUnavailable"}', false],
  ])(
    'a gateway that answers %s %s for the service may hide an acceptance: %s',
    async (status, body, isLost) => {
      const { provider } = await startService(() => ({ status, body }))
      const error = await provider.send({ ...message, text: 'x' }).catch((reason) => reason)
      expect(error instanceof AnswerLost).toBe(isLost)
    },
  )
})

describe('providers of the configuration', () => {
  const PUBLIC_URL = 'https://busbar.example'

  test.each([
    [{ SMTP_URL: 'smtp://mail.example' }, 'EMAIL_SENDER'],
    [
      { SMTP_URL: 'smtps://mail.example', EMAIL_SENDER: 'a@b.example', SMTP_PASSWORD_FILE: '/nowhere' },
      'SMTP_PASSWORD_FILE',
    ],
    [{ SMS_URL: 'https://sms.example', SMS_TEMPLATE: 'SMS_1' }, 'SMS_URL'],
    [{ SMS_URL: 'https://key:secret@sms.example', SMS_TEMPLATE: 'SMS_1' }, 'SMS_URL'],
    [{ SMTP_URL: 'smtp://user:secret@mail.example', EMAIL_SENDER: 'a@b.example' }, 'SMTP_URL'],
  ])('%j names %s', (env, name) => {
    expect(() => openProviders(readConfig({ PUBLIC_URL, ...env }), silentLogger)).toThrow(
      new RegExp(`^${name}:`),
    )
  })

  test.each([{ SMTP_URL: 'smtp://mail.example' }, { SMS_URL: 'ssmpp://id@sms.example' }])(
    '%j without PUBLIC_URL was accepted behind a proxy on the same machine',
    (provider) => {
      for (const HOST of ['127.0.0.1', '0.0.0.0']) {
        const env = { HOST, ...provider }
        expect(() => readConfig(env)).toThrow(/^PUBLIC_URL:/)
        expect(readConfig({ ...env, PUBLIC_URL })).toMatchObject(provider)
      }
      expect(readConfig({ BUSBAR_DEMO: '1', ...provider })).toMatchObject(provider)
    },
  )

  test('are opened for each configured kind; other kinds use the outbox', () => {
    const env = {
      PUBLIC_URL,
      SMTP_URL: 'smtp://mail.example',
      EMAIL_SENDER: 'a@b.example',
      SMS_URL: 'ssmpp://id@sms.example',
    }
    expect(Object.keys(openProviders(readConfig(env), silentLogger))).toEqual(['sms', 'email'])
    expect(openProviders(readConfig({}), silentLogger)).toEqual({})
  })
})
