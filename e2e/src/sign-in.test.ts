import { errors } from '@busbar/contract'
import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareSite } from './shared-site.ts'
import type { Account, Site } from './site.ts'
import type { Lang } from './texts.ts'
import { addressOf, type Look, moving, openView, signInByForm, type View, withView } from './view.ts'

let site: Site
let browser: Browser
let person: Account

beforeAll(async () => {
  ;({ site, browser } = await shareSite())
  person = await site.createAccount('person@example.test', 'Ming Li', 'en')
})

const wide = (lang: Lang): Look => ({ lang, theme: 'light', size: 'wide' })

describe.each(pickTurns('sign-in', ['cn', 'en'] as const))('a sign-in that cannot be, %s', (lang) => {
  it('reports missing entries before it asks the platform', () =>
    withView(
      browser,
      site,
      wide(lang),
      async ({ page, t }) => {
        await page.goto('/login')
        await page.getByRole('button', { name: t.login.submit, exact: true }).click()
        const { emailMissing, phoneMissing } = t.login.errors
        await page.getByText(lang === 'en' ? emailMissing : phoneMissing).waitFor()
        await page.getByText(t.login.errors.passwordMissing).waitFor()
      },
      moving,
    ))

  it('refuses a wrong password beside its field and keeps the input', () =>
    withView(browser, site, wide(lang), async (view) => {
      const { page, t } = view
      await page.goto('/login')
      await signInByForm(view, { account: person.account, password: 'not the password' })
      const password = page.getByLabel(t.login.password, { exact: true })
      await page.getByText(t.login.errors.wrong).waitFor()
      expect(await password.getAttribute('aria-invalid')).toBe('true')
      expect(await page.getByRole('textbox', { name: t.login.email }).inputValue()).toBe(person.account)
      expect(await password.inputValue()).toBe('not the password')
      expect(addressOf(page)).toBe('/login')
    }))
})

describe('signing in', () => {
  it('keeps the input of each way separately', () =>
    withView(browser, site, wide('en'), async ({ page, t }) => {
      const { tabs, email, phone } = t.login
      await page.goto('/login')
      await page.getByRole('textbox', { name: email }).fill(person.account)
      await page.getByRole('radio', { name: tabs.phone }).click()
      expect(await page.getByRole('textbox', { name: phone }).inputValue()).toBe('')
      await page.getByRole('textbox', { name: phone }).fill('13812345678')
      await page.getByRole('radio', { name: tabs.email }).click()
      expect(await page.getByRole('textbox', { name: email }).inputValue()).toBe(person.account)
    }))

  it('shows the theme and the language that another tab chose', () =>
    withView(browser, site, wide('en'), async ({ context, page, t }) => {
      await page.goto('/login')
      const other = await context.newPage()
      await other.goto('/login')
      await other.getByRole('button', { name: t.app.theme.toDark }).click()
      await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
      await other.getByRole('button', { name: t.app.language.switchTo }).click()
      await page.locator('html[lang="zh-CN"]').waitFor({ state: 'attached' })
    }))

  it('says how long an account is locked after too many failures', () =>
    withView(browser, site, wide('cn'), async (view) => {
      const locked = await site.createAccount('locked@example.test', 'Hua Wang', 'cn')
      for (let tries = 0; tries < 5; tries++) await failToSignIn(view, locked.account)
      await view.page.goto('/login')
      await signInByForm(view, locked)
      await view.page
        .getByRole('alert')
        .filter({ hasText: view.t.login.errors.lockedFor(15) })
        .waitFor()
    }))

  it('goes to the address one wished for', () =>
    withView(browser, site, wide('en'), async (view) => {
      const wished = '/index/?state=alarm&q=press'
      await view.page.goto(wished)
      await view.page.waitForURL((url) => url.pathname === '/login')
      await signInByForm(view, person)
      await view.page.waitForURL((url) => url.pathname === '/index/')
      expect(addressOf(view.page)).toBe(wished)
      expect(view.complaints).toEqual([])
    }))
})

/** Failures as an outside program beside the browser makes them: the form would only take longer. */
async function failToSignIn({ context }: View, loginName: string): Promise<void> {
  const answer = await context.request.post('/api/user/login', {
    data: { loginName, loginPwd: 'wrong', terminalUUID: 'a-terminal-of-a-test' },
  })
  const { hwcode } = (await answer.json()) as { hwcode: number }
  if (hwcode !== errors['07010109'].hwcode) throw new Error(`a wrong password was answered with ${hwcode}`)
}

describe('the sign-in pages of the console', () => {
  it('sends an unknown path to the sign-in', () =>
    withView(browser, site, wide('en'), async ({ page }) => {
      await page.goto('/no/such/screen')
      await page.waitForURL((url) => url.pathname === '/login')
      await page.goto('/')
      await page.waitForURL((url) => url.pathname === '/login')
    }))

  it('never leaves its own host for where one wanted to go', () =>
    withView(browser, site, wide('en'), async (view) => {
      await view.page.goto(`/login?to=${encodeURIComponent('//elsewhere.example/')}`)
      await signInByForm(view, person)
      await view.page.waitForURL((url) => url.pathname === '/index/')
      expect(new URL(view.page.url()).origin).toBe(new URL(site.url).origin)
      // For a signed-in person the router opens the page directly.
      for (const to of ['http://elsewhere.example/', 'https:elsewhere.example', '/x/..//elsewhere.example']) {
        await view.page.goto(`/login?${new URLSearchParams({ to })}`)
        await view.page.waitForURL((url) => url.pathname === '/index/')
        expect(new URL(view.page.url()).origin).toBe(new URL(site.url).origin)
      }
    }))

  it('shows a phone the narrow layout under its own address', async () => {
    const view = await openView(
      browser,
      site,
      { lang: 'cn', theme: 'light', size: 'narrow' },
      {
        isMobile: true,
        hasTouch: true,
        userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile',
      },
    )
    try {
      await view.page.goto('/index/?state=alarm')
      await view.page.waitForURL((url) => url.pathname === '/mobile')
      await signInByForm(view, person)
      await view.page.waitForURL((url) => url.searchParams.get('to') === '/index/?state=alarm')
      await view.page.getByRole('navigation', { name: view.t.app.menu.label }).waitFor()
    } finally {
      await view.context.close()
    }
  })

  it('remembers the account, never the password', () =>
    withView(browser, site, wide('en'), async (view) => {
      const { page, t } = view
      await page.goto('/login')
      await signInByForm(view, person)
      await page.waitForURL((url) => url.pathname === '/index/')
      await page.getByRole('button', { name: t.app.header.signOut }).click()
      await page.waitForURL((url) => url.pathname === '/login')
      expect(await page.getByRole('textbox', { name: t.login.email }).inputValue()).toBe(person.account)
      const kept = await view.context.storageState()
      expect(JSON.stringify(kept)).not.toContain(person.password)
      await page.goto('/index/')
      await page.waitForURL((url) => url.pathname === '/login')
    }))

  it('keeps language and theme where they were put', () =>
    withView(browser, site, wide('cn'), async ({ page }) => {
      const html = page.locator('html')
      await page.goto('/login')
      await page.getByRole('heading', { name: '登录' }).waitFor()
      expect(await html.getAttribute('data-theme')).toBe('light')
      await page.getByRole('button', { name: '切换到深色' }).click()
      await page.getByRole('button', { name: /切换到英文/ }).click()
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
})
