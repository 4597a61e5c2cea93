import type { Lang } from '@busbar/contract'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

interface Account {
  lang: Lang
  timeZone: string | null
}

let account: Account
let ends: (() => void)[]

beforeEach(() => {
  account = { lang: 'cn', timeZone: null }
  ends = []
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('location', new URL('https://busbar.test/userInfo'))
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    if (method === 'PUT') Object.assign(account, JSON.parse(String(body)))
    const hwdata = path.includes('selectInfo') ? { userid: 1, name: 'Ming Li', ...account } : {}
    return Response.json({ hwcode: 0, hwreason: 'OK', hwdata })
  })
})

afterEach(() => {
  for (const end of ends) end()
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The modules of a separate page whose browser is set to this language. */
async function openBrowser(system: Lang) {
  vi.resetModules()
  const { loadLanguage, getLang } = await import('../i18n/language.ts')
  const { getZone } = await import('../i18n/zone.ts')
  const { switchLanguage } = await import('./switch-language.ts')
  const { followAccount, saveLocale } = await import('./account-locale.ts')
  await loadLanguage(system, 'inside')
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return {
    getLang,
    getZone,
    switchLanguage,
    saveZone: (timeZone: string) => saveLocale(client, { timeZone }),
    refresh: () => client.refetchQueries(),
    signIn: () => ends.push(followAccount(client)),
  }
}

it('two browsers: one without a choice uses the account’s language, the other keeps its choice', async () => {
  const first = await openBrowser('en')
  first.signIn()
  await vi.waitFor(() => expect(first.getLang()).toBe('cn'))
  await first.switchLanguage('en')
  await vi.waitFor(() => expect(account.lang).toBe('en'))
  const second = await openBrowser('cn')
  second.signIn()
  await vi.waitFor(() => expect(second.getLang()).toBe('en'))
  await second.switchLanguage('cn')
  await vi.waitFor(() => expect(account.lang).toBe('cn'))
  await first.refresh()
  expect(first.getLang()).toBe('en')
})

it('two browsers: the zone of the first becomes the account’s, and a chosen one applies to both', async () => {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const first = await openBrowser('en')
  first.signIn()
  await vi.waitFor(() => expect(account.timeZone).toBe(own))
  await first.saveZone('Asia/Kathmandu')
  await vi.waitFor(() => expect(first.getZone()).toBe('Asia/Kathmandu'))
  const second = await openBrowser('en')
  second.signIn()
  await vi.waitFor(() => expect(second.getZone()).toBe('Asia/Kathmandu'))
  expect(account.timeZone).toBe('Asia/Kathmandu')
})

it('a language switched to before a session is not the account’s', async () => {
  const browser = await openBrowser('en')
  await browser.switchLanguage('en')
  browser.signIn()
  await vi.waitFor(() => expect(account.timeZone).not.toBeNull())
  expect([browser.getLang(), account.lang]).toEqual(['en', 'cn'])
})
