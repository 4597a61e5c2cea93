import { type AnswerOf, accounts } from '@busbar/contract'
import { createUser } from '@busbar/testkit'
import { expect, it } from 'vitest'
import { deviceCodeText } from '../../console/src/shared/i18n/en/device-code.ts'
import { oneTimeCode } from './authenticator.ts'
import { readCode } from './outbox.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInByForm, signInDirectly, type View, withView } from './view.ts'

const { site, browser, db } = await shareSite()

const password = 'quite a secret'
const phoneLook: Look = { lang: 'cn', size: 'narrow', theme: 'dark' }
const english: Look = { lang: 'en', size: 'wide', theme: 'light' }

/** A signed-in person with a password. */
async function arrive(view: View) {
  return signInDirectly(view, site, db, await createUser(db, { password, name: 'Ming Li' }))
}

/** The label of a button for screen readers, including the thing it acts on. */
const both = (word: string, thing: string) => new RegExp(`^${word}\\s?${thing}$`)

/** Confirms the password again. */
async function prove({ page, t }: View): Promise<void> {
  const dialog = page.getByRole('dialog', { name: t.access.proof.title })
  await dialog.getByLabel(t.access.proof.password).fill(password)
  await dialog.getByRole('button', { name: t.access.proof.submit }).click()
}

it('an account gets another name and another e-mail, the latter with password and code', () =>
  withView(browser, site, phoneLook, async (view) => {
    const { page, t } = view
    const { info, modify } = t.account
    const { email } = await arrive(view)
    await page.goto('/userInfo')
    await page.getByText(email).waitFor()
    await page.getByRole('button', { name: both(info.edit, info.name) }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: info.name }).fill('Wang Wu')
    await page.getByRole('button', { name: t.account.save }).click()
    await page.getByText('Wang Wu').waitFor()

    const fresh = 'fresh@example.test'
    await page.getByRole('link', { name: both(info.change, info.email) }).click()
    await page.getByRole('textbox', { name: modify.newEmail }).fill(email)
    await page.getByRole('button', { name: modify.submit }).click()
    await page.getByText(modify.sameEmail).waitFor()
    await page.getByRole('textbox', { name: modify.newEmail }).fill(fresh)
    await page.getByRole('button', { name: modify.submit }).click()
    await prove(view)
    await page.getByRole('textbox', { name: t.joining.codes.label }).fill(await readCode(db, fresh))
    await page.getByRole('button', { name: modify.confirm }).click()
    await page.waitForURL((url) => url.pathname === '/userInfo')
    await page.getByText(fresh).waitFor()
    expect(view.complaints).toEqual([])
  }))

it('an account is deleted with password and code, and comes back by signing in', () =>
  withView(browser, site, english, async (view) => {
    const { page, t } = view
    const { leaving } = t.account
    const { email, userId } = await arrive(view)
    await page.goto('/userInfo')
    await page.getByRole('button', { name: both(leaving.open, leaving.name) }).click()
    const dialog = page.getByRole('dialog', { name: leaving.title })
    await dialog.getByText(leaving.what[0] ?? '').waitFor()
    await dialog.getByRole('button', { name: leaving.send }).click()
    await prove(view)
    await dialog.getByRole('textbox', { name: t.joining.codes.label }).fill(await readCode(db, email))
    await dialog.getByRole('button', { name: leaving.confirm }).click()
    await page.waitForURL((url) => url.pathname === '/login')
    // The date stands between the words before and after it.
    await page.getByText(t.login.left('|').split('|').at(-1) ?? '').waitFor()
    await signInByForm(view, { account: email, password })
    await page.waitForURL((url) => url.pathname === '/index/')
    await page.getByText(t.login.deletionTakenBack).waitFor()
    const { state } = await db
      .selectFrom('users')
      .select('state')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(state).toBe('active')
    expect(view.complaints).toEqual([])
  }))

it('an account takes a second factor, which the next sign-in asks for', () =>
  withView(browser, site, phoneLook, async (view) => {
    const { page, t } = view
    const { twoFactor } = t.account
    const { challenge } = t.joining
    const { email } = await arrive(view)
    await page.goto('/security')
    await page.getByRole('button', { name: both(twoFactor.setUp, twoFactor.name) }).click()
    await prove(view)
    await page.getByRole('img', { name: twoFactor.picture }).waitFor()
    const secret = await page.getByRole('button', { name: t.app.copyCode }).textContent()
    await page.getByRole('textbox', { name: twoFactor.code }).fill(oneTimeCode(secret?.trim() ?? ''))
    await page.getByRole('button', { name: twoFactor.confirm, exact: true }).click()
    const codes = page.getByRole('dialog', { name: twoFactor.codesTitle })
    await codes.waitFor()
    expect(await codes.getByRole('listitem').count()).toBe(10)
    const recoveryCode = await codes.getByRole('listitem').first().textContent()
    await codes.getByRole('button', { name: twoFactor.kept }).click()
    await page.getByRole('button', { name: both(twoFactor.turnOff, twoFactor.name) }).waitFor()

    await view.context.clearCookies()
    await page.goto('/login')
    await signInByForm(view, { account: email, password })
    await page.getByRole('textbox', { name: challenge.totpLabel }).fill('000000')
    await page.getByRole('button', { name: t.login.submit, exact: true }).click()
    await page.getByText(challenge.totpWrong).waitFor()
    await page.getByRole('textbox', { name: challenge.totpLabel }).fill(recoveryCode ?? '')
    await page.getByRole('button', { name: t.login.submit, exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/index/')
    expect(view.complaints).toEqual([])
  }))

it('friends are found by their exact account, listed below the tabs of a phone, and forgotten again', () =>
  withView(browser, site, { ...english, size: 'narrow' }, async (view) => {
    const { page, t } = view
    const { friends } = t.account
    const { userId } = await arrive(view)
    for (let count = 0; count < 8; count++) {
      const friend = await createUser(db, { name: `Friend ${count}` })
      await db
        .insertInto('friends')
        .values({ user_id: userId, friend_id: friend.userId, remark: '', created_at: new Date() })
        .execute()
    }
    const other = await createUser(db, { name: 'Wei Zhang' })
    await page.goto('/friends')
    await page.getByTitle('Friend 7').waitFor()
    const tabs = await page.getByRole('navigation', { name: t.settings.title }).boundingBox()
    const title = await page.getByRole('heading', { name: friends.title, level: 1 }).boundingBox()
    expect(title?.y).toBeGreaterThanOrEqual((tabs?.y ?? 0) + (tabs?.height ?? Number.POSITIVE_INFINITY))

    await page.getByRole('button', { name: friends.add }).click()
    const dialog = page.getByRole('dialog', { name: friends.addTitle })
    await dialog.getByRole('textbox', { name: friends.account }).fill('nobody@example.test')
    await dialog.getByRole('button', { name: friends.add }).click()
    await dialog.locator('[aria-invalid="true"]').waitFor()
    await dialog.getByRole('textbox', { name: friends.account }).fill(other.email)
    await dialog.getByRole('textbox', { name: friends.remark }).fill('nights')
    await dialog.getByRole('button', { name: friends.add }).click()
    await page.getByText('nights').waitFor()
    await page.getByRole('button', { name: both(friends.remove, 'Wei Zhang') }).click()
    await page.getByRole('dialog').getByRole('button', { name: friends.remove }).click()
    await page.getByText('nights').waitFor({ state: 'detached' })
  }))

it.each([true, false])('a phone that is signed in lets a computer in by its QR code, or not: %s', (ok) =>
  withView(browser, site, english, (computer) =>
    withView(browser, site, phoneLook, async (phone) => {
      const { qr } = computer.t.joining
      await arrive(phone)
      await computer.page.goto('/login?to=%2Fsafety')
      await computer.page.getByRole('radio', { name: computer.t.login.tabs.qr }).click()
      await computer.page.getByRole('img', { name: qr.picture }).waitFor()
      // The address of the default start is of this computer alone: it is given as a link for another browser.
      await computer.page.getByText(qr.onlyHere).waitFor()
      const { origin } = new URL(computer.page.url())
      const link = await computer.page.getByRole('link', { name: `${origin}/qr/qr.` }).getAttribute('href')

      await phone.page.goto(link ?? '')
      const words = phone.t.account.qr
      await phone.page.getByText(/2001:db8:/).waitFor()
      await computer.page.getByText(qr.scannedHint).waitFor()
      await phone.page.getByRole('button', { name: ok ? words.confirm : words.refuse, exact: true }).click()
      await phone.page.getByText(ok ? words.confirmed : words.refused).waitFor()
      if (ok) await computer.page.waitForURL((url) => url.pathname === '/safety')
      else await computer.page.getByText(qr.cancelled).waitFor()
      const cookies = await computer.context.cookies()
      expect(cookies.some(({ name }) => name === 'token')).toBe(ok)

      // A used code cannot be used again.
      await phone.page.reload()
      await phone.page.getByText(words.over).waitFor()
    }),
  ),
)

it('the safety centre ends all other sessions and reports it', () =>
  withView(browser, site, english, async (view) => {
    const { page, t } = view
    const { safety } = t.account
    const person = await arrive(view)
    await signInDirectly(view, site, db, person)
    await page.goto('/safety')
    await page.getByRole('button', { name: safety.signOutOthers }).click()
    await page.getByRole('dialog').getByRole('button', { name: safety.signOutOthers }).click()
    await page.getByText(t.safety.alone).waitFor()
    await page.getByRole('radio', { name: safety.days(7) }).click()
    await page.getByText(t.account.saved).waitFor()
    await page.reload()
    await page.getByRole('radio', { name: safety.days(7), checked: true }).waitFor()
    await page
      .getByRole('navigation', { name: t.settings.title })
      .getByRole('link', { name: t.settings.menu.security })
      .click()
    await page
      .getByRole('table')
      .getByText(safety.actions['user.safety.update'] ?? '')
      .first()
      .waitFor()
  }))

/** Posts as a program outside of any browser, and returns the answer. */
async function post<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${site.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { hwdata } = (await answer.json()) as { hwdata: Answer }
  return hwdata
}

const ask = (deviceCode: string) =>
  post<AnswerOf<typeof accounts.redeemDeviceCode>>(accounts.redeemDeviceCode.path, { deviceCode })

/** Polls at the program's own pace until there is a decision. */
async function waitForToken({ deviceCode, interval }: { deviceCode: string; interval: number }) {
  for (;;) {
    const answer = await ask(deviceCode)
    if ('token' in answer || answer.state !== 'waiting') return answer
    await new Promise((done) => setTimeout(done, interval * 1000))
  }
}

it('signing in a program takes a code, a browser and a sign-in there', async () => {
  const { email } = await createUser(db, { password, name: 'Ming Li' })
  const code = await post<AnswerOf<typeof accounts.createDeviceCode>>(accounts.createDeviceCode.path, {
    terminalName: 'busbar-connect',
    terminalUUID: 'program',
  })
  expect(code.verifyUrl).toBe(`${site.url}/deviceCode`)
  const token = waitForToken(code)
  await withView(browser, site, english, async (view) => {
    const { page, t } = view
    await page.goto(code.verifyUrl)
    await signInByForm(view, { account: email, password })
    const field = page.getByLabel(deviceCodeText.code)
    await field.fill(code.userCode.toLowerCase().replace('-', ''))
    await field.press('Enter')
    await page.getByText('busbar-connect', { exact: true }).waitFor()
    await page.getByText(code.userCode, { exact: true }).waitFor()
    await page.getByRole('button', { name: t.account.qr.confirm }).click()
    await page.getByText(deviceCodeText.confirmed).waitFor()
    await page.reload()
    await page.getByText(deviceCodeText.over).waitFor()
  })
  const given = await token
  const me = await fetch(`${site.url}${accounts.selectInfo.path}`, {
    method: accounts.selectInfo.method,
    headers: { token: 'token' in given ? given.token : '' },
  })
  expect(await me.json()).toMatchObject({ hwcode: 0, hwdata: { name: 'Ming Li' } })
  expect(await ask(code.deviceCode)).toEqual({ state: 'expired' })
})
