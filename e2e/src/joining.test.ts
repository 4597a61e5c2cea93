import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createUser } from '@busbar/testkit'
import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { readCode } from './outbox.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { addressOf, type Look, signInByForm, type View, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const looks: Look[] = [
  { lang: 'cn', size: 'narrow', theme: 'dark' },
  { lang: 'en', size: 'wide', theme: 'light' },
]
const english: Look = { lang: 'en', size: 'wide', theme: 'light' }

async function giveCode({ page, t }: View, code: string, submit: string): Promise<void> {
  await page.getByRole('textbox', { name: t.joining.codes.label }).fill(code)
  await page.getByRole('button', { name: submit, exact: true }).click()
}

describe.each(pickTurns('joining', looks))('a stranger, $lang, $size', (look) => {
  it('becomes a user with a code, and is signed in with where they wanted to go in mind', () =>
    withView(browser, site, look, async (view) => {
      const { page, t } = view
      const { register, person, codes } = t.joining
      const isPhone = look.lang === 'cn'
      const account = isPhone ? '13900139021' : 'stranger@example.test'
      await page.goto('/safety')
      await page.getByRole('link', { name: t.login.register, exact: true }).click()
      await page.getByRole('heading', { name: register.title }).waitFor()
      expect(await findFaults(page, 'register')).toEqual([])
      await page.getByRole('radio', { name: isPhone ? register.byPhone : register.byEmail }).click()
      await page.getByRole('textbox', { name: isPhone ? t.login.phone : t.login.email }).fill(account)
      await page
        .getByRole('textbox', { name: person.name, exact: true })
        .fill(isPhone ? '王小明' : 'Ming Wang')
      await page.getByLabel(person.password, { exact: true }).fill('12345')
      await page.getByRole('button', { name: register.submit }).click()
      await page.getByText(person.passwordLength(6, 20)).waitFor()
      await page.getByLabel(person.password, { exact: true }).fill('quite a secret')
      await page.getByLabel(person.passwordRepeat, { exact: true }).fill('quite a secreT')
      await page.getByRole('button', { name: register.submit }).click()
      await page.getByText(person.passwordsDiffer).waitFor()
      await page.getByLabel(person.passwordRepeat, { exact: true }).fill('quite a secret')
      await page.getByRole('button', { name: register.submit }).click()
      await page.getByRole('heading', { name: codes.title }).waitFor()
      expect(await findFaults(page, 'code')).toEqual([])
      await giveCode(view, 'AAAA', register.activate)
      await page.getByText(codes.wrong).waitFor()
      await giveCode(view, await readCode(db, account), register.activate)
      await page.waitForURL((url) => url.pathname === '/safety')
      await page.getByRole('heading', { name: t.settings.menu.sessions, level: 1 }).waitFor()
      expect(view.complaints).toEqual([])
    }))

  it('asks to register a SCADA computer, and gets the number of the request', () =>
    withView(browser, site, look, async (view) => {
      const { page, t } = view
      const { scada } = t.joining
      await page.goto('/scadaRegister')
      await page.getByRole('button', { name: scada.submit }).click()
      await page.getByText(scada.missing.company).waitFor()
      expect(await findFaults(page, 'scada')).toEqual([])
      await page.getByRole('textbox', { name: scada.company }).fill('Ming Machines')
      await page.getByRole('textbox', { name: scada.phone }).fill('0512 6288 1234')
      await page.getByRole('textbox', { name: scada.email }).fill('ming@example.test')
      await page.getByRole('textbox', { name: scada.area }).fill('Suzhou')
      await page.getByRole('textbox', { name: scada.project }).fill('Twelve presses\nand a tank')
      await page.getByRole('radio', { name: scada.purposes.run.name }).check()
      await page.getByRole('button', { name: scada.submit }).click()
      await page.getByRole('heading', { name: scada.doneTitle }).waitFor()
      const asked = await db
        .selectFrom('scada_requests')
        .select(['company', 'purpose'])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      expect(asked).toEqual({ company: 'Ming Machines', purpose: 'run' })
      expect(view.complaints).toEqual([])
    }))
})

describe('the pages before a session', () => {
  it('show the brand and both ways in to an unknown person', () =>
    withView(browser, site, english, async ({ page, t }) => {
      await page.goto('/main')
      await page.getByRole('link', { name: t.joining.landing.register }).waitFor()
      expect(await findFaults(page, 'landing')).toEqual([])
      await page.getByRole('link', { name: t.joining.landing.signIn, exact: true }).click()
      await page.getByRole('heading', { name: t.login.title }).waitFor()
      expect(addressOf(page)).toBe('/login')
      await page.goBack()
      await page.getByRole('link', { name: t.joining.landing.register }).waitFor()
    }))

  it('report beside the field that an account is taken, and keep the input', () =>
    withView(browser, site, english, async ({ page, t }) => {
      const { register, person } = t.joining
      const { email } = await createUser(db)
      await page.goto('/registerByEmail')
      await page.getByRole('textbox', { name: t.login.email }).fill(email)
      await page.getByRole('textbox', { name: person.name, exact: true }).fill('Ming Wang')
      await page.getByLabel(person.password, { exact: true }).fill('quite a secret')
      await page.getByLabel(person.passwordRepeat, { exact: true }).fill('quite a secret')
      await page.getByRole('button', { name: register.submit }).click()
      await page.getByText(register.exists).waitFor()
      expect(await page.getByRole('textbox', { name: t.login.email }).inputValue()).toBe(email)
      expect(await page.getByLabel(person.password, { exact: true }).inputValue()).toBe('quite a secret')
    }))

  it('ask for the code again after a reload of a registration, with no password kept', () =>
    withView(browser, site, english, async (view) => {
      const { page, t } = view
      const { register, person, codes } = t.joining
      const account = 'reloaded@example.test'
      await page.goto('/registerByEmail')
      await page.getByRole('textbox', { name: t.login.email }).fill(account)
      await page.getByRole('textbox', { name: person.name, exact: true }).fill('Ming Wang')
      for (const label of [person.password, person.passwordRepeat])
        await page.getByLabel(label, { exact: true }).fill('quite a secret')
      await page.getByRole('button', { name: register.submit }).click()
      await page.getByRole('heading', { name: codes.title }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: codes.title }).waitFor()
      await page.getByText(account, { exact: true }).waitFor()
      const kept = await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')
      expect(kept).not.toContain('quite a secret')
      await giveCode(view, await readCode(db, account), register.activate)
      await page.getByText(register.done).waitFor()
      expect(await page.getByRole('textbox', { name: t.login.email }).inputValue()).toBe(account)
      await signInByForm(view, { account, password: 'quite a secret' })
      await page.waitForURL((url) => url.pathname === '/index/')
    }))

  it('find a country by its name with the keyboard alone', () =>
    withView(browser, site, english, async ({ page, t }) => {
      await page.goto('/login')
      await page.getByRole('radio', { name: t.login.tabs.phone }).click()
      await page.getByRole('button', { name: t.login.country }).press('Enter')
      const search = page.getByRole('combobox', { name: t.login.countrySearch })
      await page.getByRole('option', { name: /China/ }).first().waitFor()
      await search.fill('germ')
      await search.press('Enter')
      await search.waitFor({ state: 'hidden' })
      expect(await page.getByRole('button', { name: t.login.country }).textContent()).toContain('+49')
      expect(addressOf(page)).toBe('/login')
    }))
})

describe('a forgotten password', () => {
  it('is replaced with a code, and only the new one signs in', () =>
    withView(browser, site, english, async (view) => {
      const { page, t } = view
      const { recover, person, codes } = t.joining
      const { email } = await createUser(db, { password: 'the old password' })
      await page.goto('/login?to=%2Fsafety')
      await page.getByRole('link', { name: t.login.forgotten }).click()
      await page.getByRole('heading', { name: recover.title }).waitFor()
      await page.getByRole('radio', { name: t.login.tabs.email }).click()
      await page.getByRole('textbox', { name: t.login.email }).fill(email)
      await page.getByRole('button', { name: recover.submit }).click()
      await giveCode(view, await readCode(db, email), codes.confirm)
      await page.getByLabel(person.newPassword, { exact: true }).fill('the new password')
      await page.getByLabel(person.repeat, { exact: true }).fill('the new passwort')
      await page.getByRole('button', { name: recover.save }).click()
      await page.getByText(person.passwordsDiffer).waitFor()
      await page.getByLabel(person.repeat, { exact: true }).fill('the new password')
      await page.getByRole('button', { name: recover.save }).click()
      await page.getByText(recover.done).waitFor()
      await signInByForm(view, { account: email, password: 'the old password' })
      await page.getByText(t.login.errors.wrong).waitFor()
      await signInByForm(view, { account: email, password: 'the new password' })
      await page.waitForURL((url) => url.pathname === '/safety')
    }))

  it('gives the same answer for an unknown account, and sends no code', () =>
    withView(browser, site, english, async ({ page, t }) => {
      const { recover, codes } = t.joining
      await page.goto('/forgetPwd')
      await page.getByRole('radio', { name: t.login.tabs.email }).click()
      await page.getByRole('textbox', { name: t.login.email }).fill('nobody@example.test')
      await page.getByRole('button', { name: recover.submit }).click()
      await page.getByText(codes.maybeSent('nobody@example.test')).waitFor()
      const sent = db
        .selectFrom('outgoing')
        .select('id')
        .where('recipient', '=', 'nobody@example.test')
        .where('state', '<>', 'withheld')
      expect(await sent.execute()).toEqual([])
    }))
})
