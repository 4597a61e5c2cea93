import { accounts } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { removeExpired } from './accounts-store.ts'

let aheadMs = 0
const site = useSite({ PUBLIC_URL: 'http://busbar.localhost' }, { now: () => Date.now() + aheadMs })
// Each test has its own minute of allowances, and of turns to ask.
beforeEach(() => {
  aheadMs += 60_000
})

/** The interval as the program's own clock keeps it. */
const nextTurn = () => {
  aheadMs += 5_000
}
const nobody = () => site.as({ token: '' })
const show = (terminalUUID = `program-${crypto.randomUUID()}`) =>
  nobody().call(accounts.createDeviceCode, { terminalName: 'busbar-connect', terminalUUID })
const redeem = ({ deviceCode }: { deviceCode: string }) =>
  nobody().call(accounts.redeemDeviceCode, { deviceCode })
const confirm = (who: TestUser | { token: string }, userCode: string, ok = true) =>
  site.as(who).call(accounts.confirmDeviceCode, { userCode, ok })

describe('signing a program in by a code', () => {
  test('a person who types the code signs the program in, once, as a terminal of its own', async () => {
    const person = await site.createUser()
    const code = await show()
    expect(code).toMatchObject({
      userCode: expect.stringMatching(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/),
      verifyUrl: 'http://busbar.localhost/deviceCode',
      expireIn: 600,
      interval: 5,
    })
    expect(await redeem(code)).toEqual({ state: 'waiting' })

    const typed = ` ${code.userCode.toLowerCase().replace('-', ' ')}`
    const asked = await site.as(person).call(accounts.scanDeviceCode, { userCode: typed })
    expect(asked).toEqual({ terminalName: 'busbar-connect', ip: '127.0.0.1', place: '', program: null })
    await confirm(person, typed)
    nextTurn()
    const answer = await redeem(code)
    const me = await site.as({ token: 'token' in answer ? answer.token : '' }).call(accounts.selectInfo, {})
    expect(me.userid).toBe(person.userId)
    const { list } = await site.as(person).call(accounts.listTerminals, {})
    expect(list.find((one) => one.name === 'busbar-connect')).toMatchObject({
      type: accounts.terminalTypes.api,
    })
    nextTurn()
    expect(await redeem(code)).toEqual({ state: 'expired' })
  })

  test('a program that names itself gets a session of its own kind, which is a terminal too', async () => {
    const person = await site.createUser()
    const named = { terminalName: 'laptop', terminalUUID: crypto.randomUUID(), program: 'connect' } as const
    const code = await nobody().call(accounts.createDeviceCode, named)
    const { userCode } = code
    expect(await site.as(person).call(accounts.scanDeviceCode, { userCode })).toMatchObject({
      terminalName: 'laptop',
      program: 'connect',
    })
    await confirm(person, userCode)
    const answer = await redeem(code)
    const program = { token: 'token' in answer ? answer.token : '' }
    expect((await site.as(program).call(accounts.selectInfo, {})).userid).toBe(person.userId)
    expect(await site.refusalOf(program, accounts.listTerminals, {})).toBe('113')
    const { list } = await site.as(person).call(accounts.listTerminals, {})
    expect(list.map(({ name }) => name)).toContain('laptop')
    await site.as(program).call(accounts.logout, {})
    expect(await site.refusalOf(program, accounts.selectInfo, {})).toBe('113')
  })

  test('a program that polls early gets slow_down, and is let in at its turn', async () => {
    const person = await site.createUser()
    const code = await show()
    expect(await redeem(code)).toEqual({ state: 'waiting' })
    await confirm(person, code.userCode)
    expect(await redeem(code)).toEqual({ state: 'slowDown' })
    nextTurn()
    expect(await redeem(code)).toHaveProperty('token')
  })

  test('a code can be answered once, and a refused one lets nobody in', async () => {
    const [person, other] = [await site.createUser(), await site.createUser()]
    const code = await show()
    await confirm(person, code.userCode, false)
    for (const who of [person, other])
      expect(
        await site.refusalOf(who, accounts.confirmDeviceCode, { userCode: code.userCode, ok: true }),
      ).toBe('DEVICE_CODE_OVER')
    expect(await redeem(code)).toEqual({ state: 'refused' })
  })

  test('an expired code cannot be shown, confirmed or redeemed, and is deleted', async () => {
    const person = await site.createUser()
    const [waiting, confirmed] = [await show(), await show()]
    await confirm(person, confirmed.userCode)
    aheadMs += 10 * 60_000 + 1
    const { userCode } = waiting
    expect(await site.refusalOf(person, accounts.scanDeviceCode, { userCode })).toBe('DEVICE_CODE_OVER')
    const late = { userCode, ok: true }
    expect(await site.refusalOf(person, accounts.confirmDeviceCode, late)).toBe('DEVICE_CODE_OVER')
    expect(await redeem(confirmed)).toEqual({ state: 'expired' })
    await removeExpired(site.db, new Date(Date.now() + aheadMs))
    expect(await site.db.selectFrom('device_codes').select('user_code').execute()).toEqual([])
  })

  test('a person who was signed out meanwhile cannot let a program in', async () => {
    const person = await site.createUser()
    const browser = await site.signIn(person.userId)
    const code = await show()
    await confirm(browser, code.userCode)
    await site.as(person).call(accounts.removeTerminal, { id: browser.sessionId })
    expect(await redeem(code)).toEqual({ state: 'expired' })
  })

  test('a code of one brand is unknown on another brand’s host', async () => {
    const person = await site.createUser()
    const [waiting, confirmed] = [await show(), await show()]
    await confirm(person, confirmed.userCode)
    await site.db.updateTable('device_codes').set({ brand_id: 77 }).execute()
    const { userCode } = waiting
    expect(await site.refusalOf(person, accounts.scanDeviceCode, { userCode })).toBe('DEVICE_CODE_OVER')
    const wish = { userCode, ok: true }
    expect(await site.refusalOf(person, accounts.confirmDeviceCode, wish)).toBe('DEVICE_CODE_OVER')
    expect(await redeem(confirmed)).toEqual({ state: 'expired' })
  })

  test('the database does not store codes that could sign a program in', async () => {
    const { deviceCode } = await show()
    const rows = await site.db.selectFrom('device_codes').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(deviceCode.slice(4))
  })

  test('guessing a person’s code ends after ten tries, right or wrong', async () => {
    const person = await site.createUser()
    const { userCode } = await show()
    for (let n = 0; n < 10; n++)
      await failureOf(site.as(person), accounts.confirmDeviceCode, {
        userCode: `2222-222${(n % 8) + 2}`,
        ok: true,
      })
    expect(await site.refusalOf(person, accounts.confirmDeviceCode, { userCode, ok: true })).toBe('429')
    expect(await site.refusalOf(person, accounts.scanDeviceCode, { userCode })).toBe('429')
  })

  test('the person who answered a code is in the audit log, and so are guesses', async () => {
    const person = await site.createUser()
    const code = await show()
    await failureOf(site.as(person), accounts.scanDeviceCode, { userCode: '22222222' })
    await confirm(person, code.userCode)
    await redeem(code)
    const entries = await site.db
      .selectFrom('audit_entries')
      .select(['action', 'target', 'result'])
      .where('actor_user_id', '=', person.userId)
      .orderBy('id')
      .execute()
    expect(entries).toMatchObject([
      { action: 'user.device.scan', result: 'refused' },
      { action: 'user.device.confirm', target: 'busbar-connect', result: 'ok' },
      { action: 'user.login', result: 'ok' },
    ])
  })
})
