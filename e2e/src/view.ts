import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createUser, signIn, type TestUser } from '@busbar/testkit'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Account, checkout, type Site } from './site.ts'
import { type Lang, texts } from './texts.ts'

export const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const

export type Theme = 'light' | 'dark'
export type Size = keyof typeof sizes

/** A person's view of the console. */
export interface Look {
  readonly lang: Lang
  readonly theme: Theme
  readonly size: Size
}

/** One person's browser: separate storage and cookies, one page, and its texts. */
export interface View extends Look {
  readonly context: BrowserContext
  readonly page: Page
  readonly t: (typeof texts)[Lang]
  /** Problems of its pages: exceptions and errors on their consoles. */
  readonly complaints: readonly string[]
}

/** The options of a browser whose pages move, as most people's do. The other tests need not draw nor wait for it. */
export const moving = { reducedMotion: 'no-preference' } as const

/** Long enough for a busy machine; longer than a person would wait. */
const patienceMs = 15_000

const locales = { cn: 'zh-CN', en: 'en-GB' } as const

/** Workers that share a site begin at different numbers. */
let addresses = Number(process.env.VITEST_POOL_ID ?? 0) * 4_096

/** An unused address: an IPv6 address for documentation, each in a different network. */
const nextAddress = () => `2001:db8:${(++addresses).toString(16)}::1`

/** Runs in each page of the console: the browser of a person who chose this language on it. */
function chooseLanguage(lang: Lang, origin: string): string {
  return `if (location.origin === '${origin}' && !localStorage.getItem('busbar.version')) {
    localStorage.setItem('busbar.version', 'v1.0')
    localStorage.setItem('busbar.preferences', '{"lang":"${lang}"}')
  }`
}

/**
 * Opens a browser of a person who likes this theme and no motion, and whose system speaks this language, which they chose.
 */
export async function openView(
  browser: Browser,
  site: { readonly url: string; readonly trustsAddresses?: boolean },
  look: Look,
  options: BrowserContextOptions = {},
): Promise<View> {
  const context = await browser.newContext({
    ...(site.trustsAddresses ? { extraHTTPHeaders: { 'x-forwarded-for': nextAddress() } } : {}),
    baseURL: site.url,
    locale: locales[look.lang],
    timezoneId: 'Asia/Shanghai',
    colorScheme: look.theme,
    viewport: sizes[look.size],
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(patienceMs)
  // Pages of machines have different origins, and so separate storage.
  await context.addInitScript(chooseLanguage(look.lang, new URL(site.url).origin))
  const complaints: string[] = []
  context.on('weberror', (webError) => {
    const error = webError.error()
    complaints.push(error.stack ?? error.message)
  })
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  const page = await context.newPage()
  return { ...look, context, page, t: texts[look.lang], complaints }
}

/** Signs in as a person does, from wherever the sign-in form is shown. */
export async function signInByForm({ page, t }: View, { account, password }: Account): Promise<void> {
  const isEmail = account.includes('@')
  await page.getByRole('radio', { name: isEmail ? t.login.tabs.email : t.login.tabs.phone }).click()
  await page.getByRole('textbox', { name: isEmail ? t.login.email : t.login.phone }).fill(account)
  await page.getByLabel(t.login.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: t.login.submit, exact: true }).click()
}

/** Makes a person and puts their session into the browser, for tests about other things than signing in. */
export async function signInDirectly(
  view: View,
  site: Site,
  db: Database,
  user?: TestUser,
): Promise<TestUser> {
  const person = user
    ? { ...user, ...(await signIn(db, user.userId)) }
    : await createUser(db, { name: view.lang === 'cn' ? '李明' : 'Ming Li', lang: view.lang })
  await view.context.addCookies(sessionCookies(site, person.token))
  return person
}

/** The cookies of a session. */
export function sessionCookies({ url }: { readonly url: string }, token: string) {
  return [
    { name: 'token', value: token, url, httpOnly: true, sameSite: 'Lax' as const },
    { name: 'loggedIn', value: '1', url, sameSite: 'Lax' as const },
  ]
}

/** Calls in the name of the person who is signed in. */
export async function clientOf({ context, lang }: View) {
  const { origin } = new URL((await context.request.get('/login')).url())
  const token = (await context.cookies(origin)).find(({ name }) => name === 'token')?.value
  return createClient({ baseUrl: origin, lang: () => lang, token: () => token })
}

/** Opens the space switcher, which a phone has behind the last button of its bar. */
export async function openSwitcher({ page, t, size }: View): Promise<void> {
  if (size === 'narrow')
    await page.getByRole('button', { name: t.app.menu.entries.more, exact: true }).click()
  await page.getByRole('button', { name: new RegExp(t.app.menu.switchAccount) }).click()
}

/** The path and query of the current address. */
export function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** The folder for the pictures of failed tests. */
const failuresDir = join(checkout, '.busbar', 'failures')

/**
 * Opens a browser for as long as `work` takes. If that fails, a picture of the page is kept, and the error
 * lists the page's problems.
 */
export async function withView<T>(
  browser: Browser,
  site: { readonly url: string; readonly trustsAddresses?: boolean },
  look: Look,
  work: (view: View) => Promise<T>,
  options: BrowserContextOptions = {},
): Promise<T> {
  const view = await openView(browser, site, look, options)
  try {
    return await work(view)
  } catch (error) {
    await mkdir(failuresDir, { recursive: true })
    if (error instanceof Error) error.message += await describePages(view)
    throw error
  } finally {
    await view.context.close()
  }
}

/** The address and a picture of each page, and its problems. */
async function describePages({ context, complaints }: View): Promise<string> {
  const lines: string[] = []
  for (const [place, page] of context.pages().entries()) {
    const path = join(failuresDir, `${new Date().toISOString().replaceAll(':', '')}-${place}.png`)
    await page.screenshot({ path }).catch(() => {})
    lines.push(`The page at ${page.url()} looked like ${path}`)
  }
  return `\n\n${[...lines, ...complaints].join('\n')}`
}
