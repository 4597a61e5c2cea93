import { accounts, brands, routes } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'

const site = useSite({ OPERATOR_SECOND_FACTOR: '1' })

const password = 'correct horse'
const stepMs = 30_000

interface Guarded extends TestUser {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/** The code that the person's authenticator shows; a step later it shows another. */
const codeOf = (secret: string, stepsLater = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + stepsLater * stepMs })

async function proved(): Promise<TestUser> {
  const user = await site.createUser({ password })
  await site.as(user).call(accounts.provePassword, { password })
  return user
}

async function guarded(): Promise<Guarded> {
  const user = await proved()
  const { secret } = await site.as(user).call(accounts.setUpSecondFactor, {})
  const { recoveryCodes } = await site.as(user).call(accounts.confirmSecondFactor, { code: codeOf(secret) })
  return { ...user, secret, recoveryCodes }
}

const credentials = (user: TestUser) => ({
  loginName: user.email,
  loginPwd: password,
  terminalUUID: 'terminal-of-the-test',
})

async function challengeOf(user: TestUser): Promise<string> {
  const failure = await failureOf(site.as(undefined), accounts.login, credentials(user))
  expect(failure.code).toBe('07010111')
  expect(failure.data).toEqual({ challenge: expect.any(String), kind: 'totp' })
  return (failure.data as { challenge: string }).challenge
}

describe('signing in with a second factor', () => {
  test('requires a code of the authenticator, and accepts each once', async () => {
    const user = await guarded()
    const input = { ...credentials(user), challenge: await challengeOf(user), code: codeOf(user.secret, 1) }
    expect((await site.as(undefined).call(accounts.login, input)).userid).toBe(user.userId)
    const again = { ...input, challenge: await challengeOf(user) }
    expect(await site.refusalOf(undefined, accounts.login, again)).toBe('07010112')
  })

  test('takes a recovery code once, however it is typed', async () => {
    const user = await guarded()
    expect(new Set(user.recoveryCodes).size).toBe(10)
    const code = user.recoveryCodes[3]?.toLowerCase().replaceAll('-', ' ') ?? ''
    const input = { ...credentials(user), challenge: await challengeOf(user), code }
    expect((await site.as(undefined).call(accounts.login, input)).userid).toBe(user.userId)
    const again = { ...input, challenge: await challengeOf(user) }
    expect(await site.refusalOf(undefined, accounts.login, again)).toBe('07010112')
  })

  test('a code without its challenge, or with the wrong password, opens nothing', async () => {
    const user = await guarded()
    const code = codeOf(user.secret, 1)
    const ask = (input: object) =>
      failureOf(site.as(undefined), accounts.login, { ...credentials(user), ...input })
    expect((await ask({ code })).code).toBe('07010111')
    expect((await ask({ code, challenge: 'made-up' })).code).toBe('07010111')
    const challenge = await challengeOf(user)
    expect((await ask({ code, challenge, loginPwd: 'wrong one' })).code).toBe('07010109')
  })

  test('wrong codes lock like wrong passwords', async () => {
    const user = await guarded()
    const input = { ...credentials(user), challenge: await challengeOf(user), code: 'XXXX' }
    for (let i = 0; i < 5; i++)
      expect(await site.refusalOf(undefined, accounts.login, input)).toBe('07010112')
    expect(await site.refusalOf(undefined, accounts.login, input)).toBe('07010110')
  })
})

describe('a second factor', () => {
  test('is set up, turned on and off after a recent proof of the password', async () => {
    const user = await site.createUser({ password })
    const needed = [
      await failureOf(site.as(user), accounts.setUpSecondFactor, {}),
      await failureOf(site.as(user), accounts.confirmSecondFactor, { code: '000000' }),
      await failureOf(site.as(user), accounts.removeSecondFactor, { code: '000000' }),
    ]
    expect(needed.map((failure) => failure.code)).toEqual(Array(3).fill('PROOF_NEEDED'))
  })

  test('counts from its first code on; a wrong one changes nothing', async () => {
    const user = await proved()
    const { secret, otpauthUrl } = await site.as(user).call(accounts.setUpSecondFactor, {})
    expect(new URL(otpauthUrl).searchParams.get('secret')).toBe(secret)
    const wrong = await failureOf(site.as(user), accounts.confirmSecondFactor, { code: 'XXXX' })
    expect(wrong.code).toBe('07010112')
    expect((await site.as(user).call(accounts.selectInfo, {})).twoFactor).toBe(false)
    await site.as(user).call(accounts.confirmSecondFactor, { code: codeOf(secret) })
    expect((await site.as(user).call(accounts.selectInfo, {})).twoFactor).toBe(true)
    expect(await site.refusalOf(user, accounts.setUpSecondFactor, {})).toBe('TWO_FACTOR_ON')
  })

  test('goes with one of its codes, not without', async () => {
    const user = await guarded()
    const wrong = await failureOf(site.as(user), accounts.removeSecondFactor, { code: 'XXXX' })
    expect(wrong.code).toBe('07010112')
    await site.as(user).call(accounts.removeSecondFactor, { code: user.recoveryCodes[0] ?? '' })
    const answer = await site.as(undefined).call(accounts.login, credentials(user))
    expect(answer.userid).toBe(user.userId)
  })

  test('does not lie readable in the database', async () => {
    const user = await guarded()
    const { secret_sealed } = await site.db
      .selectFrom('second_factors')
      .select('secret_sealed')
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow()
    expect(secret_sealed.includes(Buffer.from(Secret.fromBase32(user.secret).bytes))).toBe(false)
  })

  test('is required of an operator before the back office opens, if the deployment is configured so', async () => {
    const user = await guarded()
    const plain = await proved()
    const userIds = [user.userId, plain.userId]
    await site.db.updateTable('users').set({ is_operator: true }).where('id', 'in', userIds).execute()
    const route = routes.find(({ who, method }) => who === 'operator' && method === 'GET')
    const ask = async ({ token }: TestUser) => {
      const response = await fetch(`${site.url}${route?.path.replace(/:\w+/g, '1')}`, { headers: { token } })
      return (await response.json()) as { error?: { code: string } }
    }
    expect((await ask(plain)).error?.code).toBe('OPERATOR_FACTOR_NEEDED')
    expect((await ask(user)).error?.code).not.toBe('OPERATOR_FACTOR_NEEDED')
    expect((await ask(user)).error?.code).not.toBe('403')
    const picture = { purpose: 'brand', file: new File(['<svg/>'], 'logo.svg') } as const
    expect(await site.refusalOf(plain, brands.createUpload, picture)).toBe('OPERATOR_FACTOR_NEEDED')
  })
})
