import { errors } from '@busbar/contract'
import { createUser } from '@busbar/testkit'
import { beforeAll, expect, it } from 'vitest'
import { readCode } from './outbox.ts'
import { shareSite } from './shared-site.ts'
import type { Account } from './site.ts'
import { addressOf, type Look, moving, signInByForm, type View, withView } from './view.ts'

/* How a person comes in, and how a session ends. */

const { site, browser, db } = await shareSite()
let person: Account

/** A person who can sign in. */
async function createAccount(): Promise<Account> {
  const { email } = await createUser(db, { password })
  return { account: email, password }
}

beforeAll(async () => {
  person = await createAccount()
})

const password = 'a long enough secret'

const english: Look = { lang: 'en', size: 'wide', theme: 'light' }
const chinese: Look = { lang: 'cn', size: 'wide', theme: 'light' }
const phone: Look = { lang: 'cn', size: 'narrow', theme: 'dark' }

it('a sign-in that cannot be says why beside its field, keeps the input, and locks the account in the end', () =>
  withView(
    browser,
    site,
    chinese,
    async (view) => {
      const { page, t } = view
      const { tabs, email, errors: problems } = t.login
      await page.goto('/login')
      await page.getByRole('button', { name: t.login.submit, exact: true }).click()
      await page.getByText(problems.phoneMissing).waitFor()
      await page.getByText(problems.passwordMissing).waitFor()

      // Each way keeps its own input.
      await page.getByRole('textbox', { name: t.login.phone }).fill('13812345678')
      const { account } = await createAccount()
      await signInByForm(view, { account, password: 'not the password' })
      const field = page.getByLabel(t.login.password, { exact: true })
      await page.getByText(problems.wrong).waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      expect(await field.inputValue()).toBe('not the password')
      expect(await page.getByRole('textbox', { name: email }).inputValue()).toBe(account)
      await page.getByRole('radio', { name: tabs.phone }).click()
      expect(await page.getByRole('textbox', { name: t.login.phone }).inputValue()).toBe('13812345678')

      // A country is found by its name with the keyboard alone.
      await page.getByRole('button', { name: t.login.country }).press('Enter')
      const search = page.getByRole('combobox', { name: t.login.countrySearch })
      await page.getByRole('option', { name: /中国/ }).first().waitFor()
      await search.fill('germ')
      await search.press('Enter')
      await search.waitFor({ state: 'hidden' })
      expect(await page.getByRole('button', { name: t.login.country }).textContent()).toContain('+49')

      for (let tries = 0; tries < 4; tries++) await failToSignIn(view, account)
      await signInByForm(view, { account, password: 'not the password' })
      await page
        .getByRole('alert')
        .filter({ hasText: problems.lockedFor(15) })
        .waitFor()
      expect(addressOf(page)).toBe('/login')
    },
    moving,
  ))

/** Failures as an outside program beside the browser makes them: the form would only take longer. */
async function failToSignIn({ context }: View, loginName: string): Promise<void> {
  const answer = await context.request.post('/api/user/login', {
    data: { loginName, loginPwd: 'wrong', terminalUUID: 'a-terminal-of-a-test' },
  })
  const { hwcode } = (await answer.json()) as { hwcode: number }
  if (hwcode !== errors['07010109'].hwcode) throw new Error(`a wrong password was answered with ${hwcode}`)
}

it('a sign-in leads where one wanted to go on its own host, and remembers the account, never the password', () =>
  withView(browser, site, english, async (view) => {
    const { page, t } = view
    for (const unknown of ['/no/such/screen', '/']) {
      await page.goto(unknown)
      await page.waitForURL((url) => url.pathname === '/login')
    }
    const wished = '/index/?state=alarm&q=press'
    await page.goto(wished)
    await page.waitForURL((url) => url.pathname === '/login')
    await signInByForm(view, person)
    await page.waitForURL((url) => url.pathname === '/index/')
    expect(addressOf(page)).toBe(wished)
    expect(view.complaints).toEqual([])

    // The router opens the page directly for a signed-in person; the form does for others.
    const foreign = '//elsewhere.example/'
    const isOwn = ({ origin, pathname }: URL) => pathname === '/index/' && origin === new URL(site.url).origin
    for (const to of [
      foreign,
      'http://elsewhere.example/',
      'https:elsewhere.example',
      '/x/..//elsewhere.example',
    ]) {
      await page.goto(`/login?${new URLSearchParams({ to })}`)
      await page.waitForURL(isOwn)
    }
    await page.getByRole('button', { name: t.app.header.signOut }).click()
    await page.waitForURL((url) => url.pathname === '/login')
    expect(await page.getByRole('textbox', { name: t.login.email }).inputValue()).toBe(person.account)
    expect(JSON.stringify(await view.context.storageState())).not.toContain(person.password)
    await page.goto(`/login?${new URLSearchParams({ to: foreign })}`)
    await signInByForm(view, person)
    await page.waitForURL(isOwn)
  }))

it('language and theme stay where they were put, in every tab', () =>
  withView(browser, site, chinese, async ({ page, context }) => {
    const html = page.locator('html')
    await page.goto('/login')
    await page.getByRole('heading', { name: '登录' }).waitFor()
    const other = await context.newPage()
    await other.goto('/login')
    await other.getByRole('button', { name: '切换到深色' }).click()
    await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
    await other.getByRole('button', { name: /切换到英文/ }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    for (const again of [() => page.reload(), () => page.goto('/index/')]) {
      await again()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await html.getAttribute('data-theme')).toBe('dark')
      expect(await html.getAttribute('lang')).toBe('en')
    }
    await page.goto('/login?lang=cn')
    await page.getByRole('heading', { name: '登录' }).waitFor()
  }))

it('a phone gets the narrow layout under its own address', () =>
  withView(
    browser,
    site,
    { ...chinese, size: 'narrow' },
    async (view) => {
      await view.page.goto('/index/?state=alarm')
      await view.page.waitForURL((url) => url.pathname === '/mobile')
      await signInByForm(view, person)
      await view.page.waitForURL((url) => url.searchParams.get('to') === '/index/?state=alarm')
      await view.page.getByRole('navigation', { name: view.t.app.menu.label }).waitFor()
    },
    {
      isMobile: true,
      hasTouch: true,
      userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile',
    },
  ))

it('a session that another terminal ends says so, leads back, and goes on where another tab restarts it', () =>
  withView(browser, site, chinese, (view) =>
    withView(browser, site, chinese, async (other) => {
      const { page, t } = view
      for (const each of [view, other]) {
        await each.page.goto('/login')
        await signInByForm(each, person)
        await each.page.getByText(t.machines.empty.title).waitFor()
      }
      const { safety, app } = t
      await other.page.goto('/safety')
      await other.page
        .getByRole('button', { name: new RegExp(`^${safety.signOut}`) })
        .first()
        .click()
      await other.page.getByRole('dialog').getByRole('button', { name: safety.signOut }).click()

      const dialog = page.getByRole('dialog', { name: app.signedOut.title })
      await dialog.getByText(app.signedOut.elsewhere).waitFor()
      await dialog.getByRole('button', { name: app.signedOut.again }).click()
      await page.waitForURL((url) => url.pathname === '/login')
      await signInByForm(view, person)
      await page.waitForURL((url) => url.pathname === '/index/')
      expect(addressOf(other.page)).toBe('/safety')

      // The page learns of it by its push socket.
      await page.getByText(app.live.live, { exact: true }).waitFor()
      // As another tab signs in: with this browser's cookies and name, which ends the session before.
      const terminalUUID = await page.evaluate("localStorage.getItem('busbar.terminal')")
      const reloaded = page.waitForEvent('load')
      const { account: loginName, password: loginPwd } = person
      await view.context.request.post('/api/user/login', { data: { loginName, loginPwd, terminalUUID } })
      await reloaded
      await page.getByText(t.machines.empty.title).waitFor()
      expect(await page.evaluate('document.cookie')).toContain('loggedIn=1')
    }),
  ))

it('a stranger becomes a user with a code, also after a reload, which keeps no password', () =>
  withView(browser, site, phone, async (view) => {
    const { page, t } = view
    const { register, person: fields, codes } = t.joining
    const account = '13900139021'
    const submit = page.getByRole('button', { name: register.submit })
    const giveCode = async (code: string) => {
      await page.getByRole('textbox', { name: codes.label }).fill(code)
      await page.getByRole('button', { name: register.activate, exact: true }).click()
    }
    await page.goto('/safety')
    await page.getByRole('link', { name: t.login.register, exact: true }).click()
    await page.getByRole('radio', { name: register.byPhone }).click()
    await page.getByRole('textbox', { name: t.login.phone }).fill(account)
    await page.getByRole('textbox', { name: fields.name, exact: true }).fill('王小明')
    await page.getByLabel(fields.password, { exact: true }).fill(password)
    await page.getByLabel(fields.passwordRepeat, { exact: true }).fill(`${password}T`)
    await submit.click()
    await page.getByText(fields.passwordsDiffer).waitFor()
    await page.getByLabel(fields.passwordRepeat, { exact: true }).fill(password)
    await submit.click()
    await page.getByRole('heading', { name: codes.title }).waitFor()
    await giveCode('AAAA')
    await page.getByText(codes.wrong).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: codes.title }).waitFor()
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(
      password,
    )
    await giveCode(await readCode(db, account))
    await page.getByText(register.done).waitFor()
    expect(await page.getByRole('textbox', { name: t.login.phone }).inputValue()).toBe(account)
    await signInByForm(view, { account, password })
    await page.waitForURL((url) => url.pathname === '/safety')
    expect(view.complaints).toEqual([])
  }))

it('a forgotten password is replaced with a code; an unknown account gets the same answer, and no code', () =>
  withView(browser, site, english, async (view) => {
    const { page, t } = view
    const { recover, person: fields, codes } = t.joining
    const { email } = await createUser(db, { password: 'the old password' })
    const stranger = 'nobody@example.test'
    const ask = async (account: string) => {
      await page.getByRole('radio', { name: t.login.tabs.email }).click()
      await page.getByRole('textbox', { name: t.login.email }).fill(account)
      await page.getByRole('button', { name: recover.submit }).click()
      await page.getByText(codes.maybeSent(account)).waitFor()
    }
    await page.goto('/forgetPwd')
    await ask(stranger)
    const sent = db.selectFrom('outgoing').select('id').where('recipient', '=', stranger)
    expect(await sent.where('state', '<>', 'withheld').execute()).toEqual([])

    await page.goto('/login?to=%2Fsafety')
    await page.getByRole('link', { name: t.login.forgotten }).click()
    await ask(email)
    await page.getByRole('textbox', { name: codes.label }).fill(await readCode(db, email))
    await page.getByRole('button', { name: codes.confirm, exact: true }).click()
    await page.getByLabel(fields.newPassword, { exact: true }).fill('the new password')
    await page.getByLabel(fields.repeat, { exact: true }).fill('the new password')
    await page.getByRole('button', { name: recover.save }).click()
    await page.getByText(recover.done).waitFor()
    await signInByForm(view, { account: email, password: 'the old password' })
    await page.getByText(t.login.errors.wrong).waitFor()
    await signInByForm(view, { account: email, password: 'the new password' })
    await page.waitForURL((url) => url.pathname === '/safety')
  }))
