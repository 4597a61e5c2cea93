import { accounts, codes } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test, vi } from 'vitest'
import { hashToken } from './accounts-service.ts'

const site = useSite()

const password = 'correct horse'
const terminal = { terminalUUID: 'terminal-of-the-test' }

/** Strangers guessed at this account twenty times within the hour, from all over the world. */
async function guessAt(loginName: string): Promise<void> {
  const account_hash = hashToken(loginName)
  const at = new Date(Date.now() - 30 * 60_000)
  const failures = Array.from({ length: 20 }, (_, i) => ({ account_hash, address: `192.0.2.${i}`, at }))
  await site.db.insertInto('login_failures').values(failures).execute()
}

async function guessedAt(): Promise<TestUser> {
  const user = await site.createUser({ password })
  await guessAt(user.email)
  return user
}

const ask = (loginName: string, loginPwd: string, more: { challenge?: string; code?: string } = {}) =>
  failureOf(site.as(undefined), accounts.login, { loginName, loginPwd, ...terminal, ...more })

async function challengeOf(loginName: string, loginPwd: string): Promise<string> {
  const failure = await ask(loginName, loginPwd)
  expect(failure.code).toBe('07010111')
  return (failure.data as { challenge: string }).challenge
}

const listMail = (recipient: string) =>
  site.db.selectFrom('outgoing').select('text').where('recipient', '=', recipient).orderBy('id').execute()

async function readCode(recipient: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const [mail] = await listMail(recipient)
      const code = /\n {4}(\w{4})\n/.exec(mail?.text ?? '')?.[1]
      if (!code) throw new Error('no code was sent')
      return code
    },
    { timeout: 10_000, interval: 20 },
  )
}

test('an account guessed at lets its owner in with a sent code, and is not locked', async () => {
  const user = await guessedAt()
  const challenge = await challengeOf(user.email, password)
  const code = await readCode(user.email)
  const answer = await site
    .as(undefined)
    .call(accounts.login, { loginName: user.email, loginPwd: password, ...terminal, challenge, code })
  expect(answer.userid).toBe(user.userId)
})

test('a stranger who keeps guessing does not learn which password is right, and causes no messages', async () => {
  const user = await guessedAt()
  const nobody = `nobody-${user.userId}@example.test`
  await guessAt(nobody)
  const answers = [await ask(user.email, 'wrong one'), await ask(nobody, 'wrong one')]
  for (const { code, data } of answers) {
    expect(code).toBe('07010111')
    expect(data).toEqual({ challenge: expect.any(String), kind: 'code' })
  }
  expect(await listMail(user.email)).toEqual([])
})

test('a code without the password, the password with a wrong code: neither signs in', async () => {
  const user = await guessedAt()
  const challenge = await challengeOf(user.email, password)
  const code = await readCode(user.email)
  expect((await ask(user.email, 'wrong one', { challenge, code })).code).toBe('07010112')
  expect((await ask(user.email, password, { challenge, code: '0000' })).code).toBe('07010112')
})

test('a challenge of one account serves no other', async () => {
  const [one, other] = [await guessedAt(), await guessedAt()]
  const challenge = await challengeOf(one.email, password)
  await challengeOf(other.email, password)
  const code = await readCode(other.email)
  expect((await ask(other.email, password, { challenge, code })).code).toBe('07010111')
})

test('a stranger who uses up an account’s codes does not keep its owner from signing in', async () => {
  const user = await guessedAt()
  const given = { email: user.email, purpose: 'login' } as const
  await site.as(undefined).call(codes.sendEmailCode, given)
  const asked = await failureOf(site.as(undefined), codes.sendEmailCode, given)
  expect(asked.code).toBe('CODE_TOO_OFTEN')
  const challenge = await challengeOf(user.email, password)
  const mails = await vi.waitFor(
    async () => {
      const found = await listMail(user.email)
      expect(found).toHaveLength(2)
      return found.map(({ text }) => /\n {4}(\w{4})\n/.exec(text)?.[1] ?? '')
    },
    { timeout: 10_000, interval: 20 },
  )
  const [strangers = '', own = ''] = mails
  expect((await ask(user.email, password, { challenge, code: strangers })).code).toBe('07010112')
  const input = { loginName: user.email, loginPwd: password, ...terminal, challenge, code: own }
  expect((await site.as(undefined).call(accounts.login, input)).userid).toBe(user.userId)
})

test('the codes that anybody can request do not reveal that a guessed password was right', async () => {
  const user = await guessedAt()
  const since = new Date()
  await challengeOf(user.email, password)
  await readCode(user.email)
  await site.as(undefined).call(codes.sendEmailCode, { email: user.email, purpose: 'resetPassword' })
  const counted = await site.db
    .selectFrom('codes')
    .select('purpose')
    .where('address', '=', '127.0.0.1')
    .where('sent_at', '>', since)
    .execute()
  expect(counted.map(({ purpose }) => purpose)).toEqual(['resetPassword'])
})
