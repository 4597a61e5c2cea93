import { codes as contract } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FreshCounters } from '../../../../test-support/http/fresh-counters.ts'
import { readConfig } from '../../../config.ts'
import type { Failure } from '../../../kernel/http/failure.ts'
import { silentLogger } from '../../../kernel/logger.ts'
import { createOutgoing, type Outgoing } from '../../outgoing/index.ts'
import type { AccountName } from '../index.ts'
import { checkCode, hashAccount, sendCode, takeTicket } from './codes-service.ts'

const counters = new FreshCounters()
const site = useSite({}, { rateCounters: counters })
let outgoing: Outgoing
let clock = Date.now()
beforeAll(async () => {
  const config = readConfig({})
  outgoing = createOutgoing({
    db: site.db,
    jobs: site.platform.jobs,
    facts: site.platform.facts,
    config,
    logger: silentLogger,
    now: () => clock,
    brandOf: () => brand,
  })
})
beforeEach(() => {
  clock += 86_400_001
})

let counter = 0
const newAccount = (): AccountName => ({ email: `code${++counter}@example.test` })
const brand = {
  id: 1,
  platformName: { cn: '母线工业云', en: 'Busbar' },
  accent: '',
  logoUrl: '',
  emailSender: '',
  smsSignature: '',
}
const purpose = 'resetPassword'

/**
 * Calls the service below the routes, whose limits of calls are not the subject of these tests. Answers `OK` or the
 * error's code.
 */
async function ask(account: AccountName, address = '192.0.2.1') {
  const codeDeps = { db: site.db, outgoing, publicUrl: undefined }
  const request = { account, purpose, lang: 'en', brand, address, now: clock } as const
  return sendCode(codeDeps, request).then(
    () => 'OK',
    (error: Failure) => error.code,
  )
}

const give = (account: AccountName, code: string) =>
  checkCode(site.db, { account, purpose, code, address: '192.0.2.9', now: clock }).then(
    (ticket) => ({ ticket, code: 'OK' }),
    (error: Failure) => ({ ticket: undefined, code: error.code as string }),
  )

const messagesTo = async (account: AccountName) =>
  site.db
    .selectFrom('outgoing')
    .select(['text', 'html', 'subject', 'state'])
    .where('recipient', '=', 'email' in account ? account.email : account.phone)
    .orderBy('id', 'desc')
    .execute()

async function sentCode(account: AccountName): Promise<string> {
  const [message] = await messagesTo(account)
  return /^ {4}(\S{4})$/m.exec(message?.text ?? '')?.[1] ?? ''
}

async function somebody(): Promise<AccountName> {
  const account = newAccount()
  await site.createUser(account as { email: string })
  return account
}

describe('asking for a code', () => {
  test('200 times at the same moment sends one', async () => {
    const account = await somebody()
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(account)))
    expect(answers.filter((answer) => answer === 'OK')).toHaveLength(1)
    expect(new Set(answers)).toEqual(new Set(['OK', 'CODE_TOO_OFTEN']))
    expect(await messagesTo(account)).toHaveLength(1)
  })

  test('for 40 accounts at once from one address sends 30', async () => {
    const accounts = Array.from({ length: 40 }, newAccount)
    const answers = await Promise.all(accounts.map((account) => ask(account, '2001:db8::1')))
    expect(answers.filter((answer) => answer === 'OK')).toHaveLength(30)
    expect(await ask(newAccount(), '2001:db8::ffff')).toBe('CODE_TOO_OFTEN')
    expect(await ask(newAccount(), '2001:db8:1::1')).toBe('OK')
  })

  test('gives the time to wait', async () => {
    const phone = { phone: '13800138000', countryCode: '86', purpose }
    const client = site.as(undefined)
    expect(await client.call(contract.sendPhoneCode, { ...phone, purpose })).toEqual({
      expireIn: 300,
      retryIn: 60,
    })
    const again = await client.call(contract.sendPhoneCode, { ...phone, purpose }).catch((error) => error)
    expect(again.code).toBe('CODE_TOO_OFTEN')
    expect(again.data.retryIn).toBeGreaterThan(50)
  })

  test('an e-mail has the code in text and HTML, in the brand’s name, and no markup of a stranger', async () => {
    const account = await somebody()
    await ask(account)
    const [message] = await messagesTo(account)
    const code = await sentCode(account)
    expect(code).toMatch(new RegExp(`^[${contract.codeAlphabet}]{4}$`))
    expect(message).toMatchObject({ subject: 'Your Busbar code', state: 'kept' })
    expect(message?.html).toContain(`>${code}</p>`)
    expect(message?.html).not.toMatch(/<script|<link|url\(/)
  })

  test('the code and its ticket appear in plain text in the message only', async () => {
    const account = await somebody()
    await ask(account)
    const { ticket = '' } = await give(account, await sentCode(account))
    const rows = JSON.stringify([
      await site.db.selectFrom('codes').selectAll().execute(),
      await site.db.selectFrom('code_tickets').selectAll().execute(),
    ])
    expect(ticket).toMatch(/^[\w-]{43}$/)
    expect(rows).not.toContain(ticket)
    expect(rows).not.toContain((account as { email: string }).email)
  })
})

describe('giving a code', () => {
  test('200 times at the same moment yields one ticket, and that one thing', async () => {
    const account = await somebody()
    await ask(account)
    const code = await sentCode(account)
    const answers = await Promise.all(Array.from({ length: 200 }, () => give(account, code)))
    const tickets = answers.flatMap(({ ticket }) => ticket ?? [])
    expect(tickets).toHaveLength(1)
    const take = (more: object) =>
      takeTicket(site.db, { ticket: tickets[0], purpose, account, now: clock, ...more })
    expect(await take({ account: newAccount() })).toBe(false)
    expect(await take({ purpose: 'login' })).toBe(false)
    expect(await take({ now: clock + 600_000 })).toBe(false)
    expect(await Promise.all([take({}), take({}), take({})])).toHaveLength(3)
    expect(await take({})).toBe(false)
  })

  test('after five wrong ones the right one is refused', async () => {
    const account = await somebody()
    await ask(account)
    for (let i = 0; i < 5; i++) expect((await give(account, '2222')).code).toBe('CODE_WRONG')
    expect((await give(account, await sentCode(account))).code).toBe('CODE_WRONG')
  })

  test('after five minutes it is refused', async () => {
    const account = await somebody()
    await ask(account)
    clock += 300_000
    expect((await give(account, await sentCode(account))).code).toBe('CODE_WRONG')
  })

  test('ten wrong ones in a day close the account’s codes, a hundred at once included', async () => {
    const account = await somebody()
    for (let round = 0; round < 2; round++) {
      await ask(account)
      await Promise.all(Array.from({ length: 100 }, () => give(account, '2222')))
      for (let i = 0; i < 5; i++) await give(account, '2222')
      clock += 61_000
    }
    expect(await ask(account)).toBe('CODE_CLOSED')
    expect((await give(account, 'ABCD')).code).toBe('CODE_CLOSED')
    const { count } = await site.db
      .selectFrom('code_failures')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('account_hash', '=', hashAccount(account))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(10)
    clock += 86_400_000
    expect(await ask(account)).toBe('OK')
  })

  test('a stranger’s tries without an open code close nothing', async () => {
    const account = await somebody()
    for (let i = 0; i < 20; i++) expect((await give(account, '2222')).code).toBe('CODE_WRONG')
    await ask(account)
    expect((await give(account, await sentCode(account))).code).toBe('OK')
  })

  test('a flood from one address is turned away', async () => {
    counters.begin()
    const send = () =>
      fetch(`${site.url}${contract.checkEmailCode.path}`, {
        method: 'POST',
        body: new URLSearchParams({ email: 'nobody@example.test', code: '2222', purpose }),
      })
    const answers = await Promise.all(Array.from({ length: 80 }, send))
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20)
  })
})

test('the list of countries is everybody’s', async () => {
  const list = await site.as(undefined).call(contract.listCountryCodes, {})
  expect(list[0]).toEqual({ country: 'China', chineseName: '中国', dialCode: '86' })
})
