import { accounts } from '@busbar/contract'
import { countLockWaits, failureOf } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test, vi } from 'vitest'

const site = useSite({ TRUSTED_PROXIES: '127.0.0.1' })

const password = 'correct horse'
const person = () => site.createUser({ password })

describe('a proved password', () => {
  test('counts ten minutes, and in the session that gave it only', async () => {
    const user = await person()
    const other = await site.signIn(user.userId)
    const ask = (session: { token: string }) => failureOf(site.as(session), accounts.getPasswordProof, {})
    expect((await ask(user)).code).toBe('PROOF_NEEDED')
    const { until } = await site.as(user).call(accounts.provePassword, { password })
    expect(await site.as(user).call(accounts.getPasswordProof, {})).toEqual({ verified: true, until })
    expect((await ask(other)).code).toBe('PROOF_NEEDED')
    await site.proveSession(user.sessionId, new Date(Date.now() - accounts.proofMs))
    expect((await ask(user)).code).toBe('PROOF_NEEDED')
  })

  test('in a query is never read', async () => {
    const user = await person()
    const { path } = accounts.provePassword
    const headers = { token: user.token, 'content-type': 'application/json' }
    const address = `${site.url}${path}?password=${encodeURIComponent(password)}`
    const get = (await (await fetch(address, { headers })).json()) as { hwcode: number }
    expect(get.hwcode).toBe(505)
    const post = await fetch(address, { method: 'POST', headers, body: '{}' })
    expect(post.status).toBe(400)
  })
})

describe('a wrong password', () => {
  test('are reported, and lock the proof after five', async () => {
    const user = await person()
    const prove = (given: string) => failureOf(site.as(user), accounts.provePassword, { password: given })
    for (let i = 0; i < 5; i++) expect((await prove('wrong one')).code).toBe('PASSWORD_WRONG')
    expect((await prove(password)).code).toBe('07010110')
  })

  test('of a neighbour who tries to sign in does not lock the proof of a person who is signed in', async () => {
    const user = await person()
    const input = { loginName: user.email, loginPwd: 'wrong one', terminalUUID: 'terminal' }
    for (let i = 0; i < 5; i++)
      expect(await site.refusalOf(undefined, accounts.login, input)).toBe('07010109')
    expect(await site.refusalOf(undefined, accounts.login, input)).toBe('07010110')
    expect(await site.as(user).call(accounts.provePassword, { password })).toHaveProperty('until')
  })

  test('ten at the same moment are five guesses, not ten', async () => {
    const user = await person()
    const codes = await Promise.all(
      Array.from(
        { length: 10 },
        async () => await site.refusalOf(user, accounts.provePassword, { password: 'wrong one' }),
      ),
    )
    expect(codes.filter((code) => code === 'PASSWORD_WRONG').length).toBeLessThanOrEqual(5)
    expect(codes.filter((code) => code === '07010110').length).toBeGreaterThanOrEqual(5)
  })

  test('guessed with a stolen session from ever new addresses is five guesses all the same', async () => {
    const user = await person()
    const guess = async (place: number) => {
      const response = await fetch(`${site.url}${accounts.provePassword.path}`, {
        method: 'POST',
        headers: {
          token: user.token,
          'content-type': 'application/json',
          'x-forwarded-for': `2001:db8:0:${place}::1`,
        },
        body: JSON.stringify({ password: 'wrong one' }),
      })
      return ((await response.json()) as { error: { code: string } }).error.code
    }
    for (let place = 0; place < 5; place++) expect(await guess(place)).toBe('PASSWORD_WRONG')
    expect(await guess(5)).toBe('07010110')
  })
})

describe('a sign-in under way', () => {
  test('with the old password does not outlive the change of it', async () => {
    const user = await person()
    const input = { loginName: user.email, loginPwd: password, terminalUUID: 'terminal' }
    const signingIn = await site.db.transaction().execute(async (trx) => {
      const another = { password_hash: 'another' }
      await trx.updateTable('users').set(another).where('id', '=', user.userId).execute()
      const under = failureOf(site.as(undefined), accounts.login, input)
      under.catch(() => undefined)
      await vi.waitFor(async () => expect(await countLockWaits(site.db)).toBe(1), {
        timeout: 10_000,
        interval: 20,
      })
      return { under }
    })
    expect((await signingIn.under).code).toBe('07010109')
  })
})
