import { accounts, codes, registration as contract } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { readCode, readOutbox, TestBrowser } from '../../../../test-support/registration/test-browser.ts'
import { formatNotice } from './notice-message.ts'

let clock = Date.now()
const site = useSite({}, { now: () => clock })
// Each test has an hour of its own, so that limits of one do not affect another.
beforeEach(() => {
  clock += 3_600_001
})

let counter = 0
const newEmail = () => `new${++counter}@example.test`
const newPhone = () => `138${String(10_000_000 + ++counter)}`
const password = 'correct horse'
const terminal = { terminalUUID: 'terminal-of-the-test' }
const browser = () => new TestBrowser(site.url)

const register = (from: TestBrowser, email: string, more: Record<string, unknown> = {}) =>
  from.ask('POST', contract.register.path, { email, password, name: 'Ming Li', ...more })
const activate = async (from: TestBrowser, activeAccount: string, SMSVerificationCode: string, more = {}) =>
  (await from.send('POST', contract.activateAccount.path, { activeAccount, SMSVerificationCode, ...more }))
    .body
const signIn = (loginName: string, loginPwd: string) =>
  browser().ask('POST', accounts.login.path, { loginName, loginPwd, ...terminal })

describe('registration', () => {
  test('by e-mail: register, read the code, activate, sign in', async () => {
    const page = browser()
    const email = newEmail()
    expect(await register(page, email.toUpperCase())).toBe('OK')
    expect(await signIn(email, password)).toBe('07010109')
    const code = await readCode(site.db, email)
    expect(await activate(page, email, code.toLowerCase())).toBe(1)
    expect(await signIn(email, password)).toBe('OK')
    expect(await activate(page, email, code)).toBe(0)
  })

  test('by phone, typed with its prefix, from a program without cookies', async () => {
    const phone = newPhone()
    const fields = { phone: `+86 ${phone}`, password, name: '李明', hideMap: true }
    expect(await browser().ask('POST', contract.register.path, fields)).toBe('OK')
    expect(await activate(browser(), phone, await readCode(site.db, phone), { password })).toBe(1)
    expect(await signIn(phone, password)).toBe('OK')
    const person = await site.db
      .selectFrom('users')
      .select(['country_code', 'hide_map', 'phone_verified_at', 'email'])
      .where('phone', '=', phone)
      .executeTakeFirstOrThrow()
    expect(person).toMatchObject({ country_code: '86', hide_map: true, email: null })
    expect(person.phone_verified_at).not.toBeNull()
  })

  test('a code requested before the form was sent activates it; a corrected form keeps its code', async () => {
    const page = browser()
    const email = newEmail()
    expect(await page.ask('POST', codes.sendEmailCode.path, { email, purpose: 'register' })).toBe('OK')
    const code = await readCode(site.db, email)
    expect(await activate(page, email, code)).toBe(0)
    expect(await register(page, email)).toBe('OK')
    expect(await register(page, email, { name: 'Hua Li' })).toBe('OK')
    expect(await activate(page, email, code)).toBe(1)
    const { name } = await site.db
      .selectFrom('users')
      .select('name')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(name).toBe('Hua Li')
  })

  test('a stranger’s registration of the same account cannot put a password of theirs into it', async () => {
    const email = newEmail()
    const stranger = browser()
    expect(await register(stranger, email, { password: 'of the stranger' })).toBe('OK')
    const strangersCode = await readCode(site.db, email)
    clock += 61_000
    const owner = browser()
    expect(await register(owner, email)).toBe('OK')
    const ownersCode = await readCode(site.db, email)
    // The owner, who gets both messages, types the wrong one.
    expect(await activate(owner, email, strangersCode)).toBe(0)
    expect(await activate(owner, email, ownersCode)).toBe(1)
    expect(await signIn(email, 'of the stranger')).toBe('07010109')
    expect(await signIn(email, password)).toBe('OK')
    expect(await activate(stranger, email, strangersCode)).toBe(0)
  })

  test('a person who has to wait for their code does not activate a stranger’s password with the stranger’s code', async () => {
    const email = newEmail()
    expect(await register(browser(), email, { password: 'of the stranger' })).toBe('OK')
    const owner = browser()
    expect(await register(owner, email)).toBe('CODE_TOO_OFTEN')
    // The only code of the owner so far.
    expect(await activate(owner, email, await readCode(site.db, email))).toBe(0)
    expect(await signIn(email, 'of the stranger')).toBe('07010109')
  })

  test('a client without cookies signs in with the password of its registration', async () => {
    const email = newEmail()
    expect(await register(browser(), email)).toBe('OK')
    expect(await activate(browser(), email, await readCode(site.db, email))).toBe(1)
    expect(await signIn(email, password)).toBe('OK')
  })

  test('a client without cookies gets no account with a password of one of two registrations', async () => {
    const email = newEmail()
    expect(await register(browser(), email, { password: 'of the stranger' })).toBe('OK')
    clock += 61_000
    expect(await register(browser(), email)).toBe('OK')
    const code = await readCode(site.db, email)
    expect(await activate(browser(), email, code)).toBe(0)
    expect(await signIn(email, password)).toBe('07010109')
    expect(await activate(browser(), email, code, { password })).toBe(1)
    expect(await signIn(email, password)).toBe('OK')
  })

  test('an account activated without the cookie has the password that is given with the code', async () => {
    const email = newEmail()
    expect(await register(browser(), email, { password: 'of the stranger' })).toBe('OK')
    const code = await readCode(site.db, email)
    expect(await activate(browser(), email, code, { password: 'Qwerty123' })).toBe(0)
    expect(await activate(browser(), email, code, { password })).toBe(1)
    expect(await signIn(email, 'of the stranger')).toBe('07010109')
    expect(await signIn(email, password)).toBe('OK')
  })

  test('an existing account is reported as taken, here and where codes are sent', async () => {
    const { email } = await site.createUser()
    expect(await register(browser(), email)).toBe('ACCOUNT_TAKEN')
    for (const purpose of ['register', 'changeAccount']) {
      expect(await browser().ask('POST', codes.sendEmailCode.path, { email, purpose })).toBe('ACCOUNT_TAKEN')
    }
  })

  test.each([
    ['a common password', { password: 'Qwerty123' }, 'PASSWORD_COMMON'],
    ['five characters', { password: '12a45' }, '400'],
    ['21 characters', { password: 'x'.repeat(21) }, '400'],
    ['a tag for a name', { name: '<b>Ming' }, '400'],
    ['zero-width characters for a name', { name: '\u200b\u200b\u200b' }, '400'],
    ['a name of one', { name: '李' }, '400'],
    ['a name of eleven', { name: '王'.repeat(11) }, '400'],
    ['two accounts', { phone: '13812345678' }, '400'],
    ['a list for a name', { name: ['Ming Li'] }, '400'],
    ['an e-mail with a header in it', { email: 'a@example.test\r\nBcc: b@example.test' }, '400'],
    ['an e-mail with a zero-width space', { email: 'li\u200b@example.test' }, '400'],
    ['a right-to-left mark in a name', { name: 'Ming\u200f Li' }, '400'],
    ['a name of a megabyte', { name: 'x'.repeat(1_000_000) }, '413'],
    ['an e-mail list', { email: 'a@example.test,b@example.test' }, '400'],
  ])('%s is refused', async (_, wrong, code) => {
    expect(await register(browser(), newEmail(), wrong)).toBe(code)
  })
})

describe('a forgotten password', () => {
  const ticketFor = async (page: TestBrowser, email: string, purpose = 'resetPassword') => {
    expect(await page.ask('POST', codes.sendEmailCode.path, { email, purpose })).toBe('OK')
    const code = await readCode(site.db, email)
    expect(await page.ask('POST', codes.checkEmailCode.path, { email, code, purpose })).toBe('OK')
  }
  const reset = (page: TestBrowser, email: string, given = 'new horse') =>
    page.ask('PUT', contract.resetPassword.path, { email, password: given })

  test('is set with the ticket of its account, once; every terminal is signed out and the owner notified', async () => {
    const user = await site.createUser({ password, lang: 'en' })
    const page = browser()
    await ticketFor(page, user.email)
    expect(await reset(page, user.email)).toBe('OK')
    expect((await readOutbox(site.db, user.email)).subject).toBe('Busbar: Your password was changed')
    expect(await signIn(user.email, password)).toBe('07010109')
    expect(await signIn(user.email, 'new horse')).toBe('OK')
    const old = await fetch(`${site.url}${accounts.selectInfo.path}`, {
      method: 'POST',
      headers: { token: user.token },
    })
    expect(old.status).toBe(401)
    expect(await reset(page, user.email)).toBe('TICKET_NEEDED')
  })

  test('leaves the browser that set it signed in', async () => {
    const user = await site.createUser({ password })
    const page = browser()
    page.cookies.set('token', user.token)
    await ticketFor(page, user.email)
    expect(await reset(page, user.email)).toBe('OK')
    expect(await page.ask('POST', accounts.selectInfo.path)).toBe('OK')
  })

  test('unlocks the account: a person with the code is the owner', async () => {
    const user = await site.createUser({ password })
    for (let i = 0; i < 5; i++) await signIn(user.email, 'wrong one')
    expect(await signIn(user.email, password)).toBe('07010110')
    const page = browser()
    await ticketFor(page, user.email)
    expect(await reset(page, user.email)).toBe('OK')
    expect(await signIn(user.email, 'new horse')).toBe('OK')
  })

  test('is not set without a ticket, with another person’s, of another purpose, in another browser, or late', async () => {
    const user = await site.createUser({ password })
    const other = await site.createUser({ password })
    expect(await reset(browser(), user.email)).toBe('TICKET_NEEDED')
    const page = browser()
    await ticketFor(page, other.email)
    expect(await reset(page, user.email)).toBe('TICKET_NEEDED')
    expect(await reset(browser(), other.email)).toBe('TICKET_NEEDED')
    const login = browser()
    await ticketFor(login, user.email, 'login')
    expect(await reset(login, user.email)).toBe('TICKET_NEEDED')
    clock += 10 * 60_000
    expect(await reset(page, other.email)).toBe('TICKET_NEEDED')
    expect(await signIn(other.email, password)).toBe('OK')
  })

  test('a failure of the old calls has the hwcode or the bare body they promise', async () => {
    const page = browser()
    const refused = await page.send('PUT', contract.resetPassword.path, {
      email: 'nobody@example.test',
      password,
    })
    expect(refused).toMatchObject({ status: 200, body: { hwcode: 400, error: { code: 'TICKET_NEEDED' } } })
    const wrong = await page.send('PUT', contract.resetPassword.path, {
      email: 'nobody@example.test',
      password: 'x',
    })
    expect(wrong).toMatchObject({ status: 200, body: { hwcode: 400, error: { field: 'password' } } })
    for (const fields of [
      { account: 'nobody@example.test', newPwd: password },
      { account: '', newPwd: [] },
    ]) {
      const bare = await page.send('POST', contract.changeLoginPassword.path, fields)
      expect(bare).toEqual({ status: 200, body: 0 })
    }
  })

  test('of an unknown account: answered alike, sent to nobody', async () => {
    const user = await site.createUser()
    const email = newEmail()
    const send = (to: string) =>
      browser().send('POST', codes.sendEmailCode.path, { email: to, purpose: 'resetPassword' })
    expect((await send(email)).body).toEqual((await send(user.email)).body)
    const withheld = await readOutbox(site.db, email)
    expect(withheld.state).toBe('withheld')
    expect(withheld.text + withheld.html).toMatch(/^x+$/)
    expect((await send(email)).body).toEqual((await send(user.email)).body)
  })
})

describe('a person’s changes of their own account', () => {
  const prove = (user: { token: string }) => site.as(user).call(accounts.provePassword, { password })

  test('another phone needs the password, the phone’s own code, and a phone without an account', async () => {
    const user = await site.createUser({ password })
    const page = browser()
    page.cookies.set('token', user.token)
    const phone = newPhone()
    const change = (to = phone) => page.ask('PUT', contract.updateAccount.path, { phone: to })
    expect(await change()).toBe('PROOF_NEEDED')
    await prove(user)
    expect(await change()).toBe('TICKET_NEEDED')
    const asked = { phone, countryCode: '86', purpose: 'changeAccount' }
    expect(await page.ask('POST', codes.sendPhoneCode.path, asked)).toBe('OK')
    const code = await readCode(site.db, phone)
    const [olderPath = ''] = codes.checkPhoneCode.aliases ?? []
    expect(await page.ask('POST', olderPath, { ...asked, code })).toBe('OK')
    expect(await change(newPhone())).toBe('TICKET_NEEDED')
    expect(await change()).toBe('OK')
    expect(await change(`+86${phone}`)).toBe('ACCOUNT_SAME')
    expect(await signIn(phone, password)).toBe('OK')
    expect(await readOutbox(site.db, user.email)).toMatchObject({ kind: 'email', state: 'kept' })
  })

  test('after a phone was added, the e-mail names both ways to sign in; after it was changed, the new one', async () => {
    const user = await site.createUser({ password, lang: 'en' })
    const page = browser()
    page.cookies.set('token', user.token)
    await prove(user)
    async function giveNewPhone(): Promise<string> {
      const phone = newPhone()
      const asked = { phone, countryCode: '86', purpose: 'changeAccount' }
      await page.ask('POST', codes.sendPhoneCode.path, asked)
      await page.ask('POST', codes.checkPhoneCode.path, { ...asked, code: await readCode(site.db, phone) })
      expect(await page.ask('PUT', contract.updateAccount.path, { phone })).toBe('OK')
      return (await readOutbox(site.db, user.email)).text
    }
    const added = await giveNewPhone()
    expect(added).toContain('sign in with your phone number or e-mail address')
    expect(added).not.toContain('From now on')
    clock += 61_000
    expect(await giveNewPhone()).toContain('From now on, sign in with the new one')
  })

  test('an account taken while the code was on its way is reported, and nothing is lost', async () => {
    const user = await site.createUser({ password })
    const page = browser()
    page.cookies.set('token', user.token)
    await prove(user)
    const email = newEmail()
    const asked = { email, purpose: 'changeAccount' }
    await page.ask('POST', codes.sendEmailCode.path, asked)
    const code = await readCode(site.db, email)
    await page.ask('GET', codes.verifyEmail.path, { ...asked, code })
    await site.createUser({ email })
    const answer = await page.send('PUT', contract.updateAccount.path, { email })
    expect(answer).toMatchObject({ status: 200, body: { hwcode: 420, error: { code: 'ACCOUNT_TAKEN' } } })
    expect(await page.ask('POST', accounts.selectInfo.path)).toBe('OK')
  })

  test('the name, within its limits; a wrong one is hwcode 400', async () => {
    const user = await site.createUser()
    const page = browser()
    page.cookies.set('token', user.token)
    expect(await page.ask('PUT', contract.updateUserName.path, { name: '王 小明' })).toBe('OK')
    expect((await site.as(user).call(accounts.selectInfo, {})).name).toBe('王 小明')
    const wrong = await page.send('PUT', contract.updateUserName.path, { name: '=1+1' })
    expect(wrong).toMatchObject({ status: 200, body: { hwcode: 400 } })
  })
})

describe('whether an account exists', () => {
  test('is answered exactly, and 30 times a minute', async () => {
    const user = await site.createUser({ name: 'Hua' })
    const page = browser()
    const exists = (email: string) => page.ask('GET', contract.confirmAccount.path, { email })
    expect(await exists(user.email)).toBe('OK')
    expect(await exists(newEmail())).toBe('01010304')
    const asked = { account: user.email.toUpperCase() }
    expect(await site.as(user).call(contract.getUserId, asked)).toEqual({ userid: user.userId, name: 'Hua' })
    expect(await site.as(user).call(contract.getUserId, {})).toMatchObject({ userid: user.userId })
    for (let i = 0; i < 28; i++) await exists(user.email)
    expect(await exists(user.email)).toBe('429')
  })
})

test('a person without an e-mail is notified of a changed password by SMS', () => {
  const brand = { id: 1, platformName: { cn: '母线工业云', en: 'Busbar' }, accent: '', logoUrl: '' }
  const to = { email: null, phone: '13812345678', country_code: '86', lang: 'cn', time_zone: null }
  const message = formatNotice('passwordChanged', to, { brand, publicUrl: undefined })
  expect(message).toMatchObject({ kind: 'sms', phone: '13812345678' })
  expect(message?.text).toContain('登录密码已修改')
})
