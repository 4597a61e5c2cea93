import { brands, createClient, operator, routes } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createUser } from '@busbar/testkit'
import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiDoc as cn } from '../../console/src/shared/i18n/cn/api-doc.ts'
import { apiDoc as en } from '../../console/src/shared/i18n/en/api-doc.ts'
import { findFaults } from './axe.ts'
import { shareSite } from './shared-site.ts'
import { type OwnSite, startSite } from './site.ts'
import { type Look, signInDirectly, withView } from './view.ts'

const words = { cn: cn.apiDoc, en: en.apiDoc }
const name = { cn: '德尔塔云', en: 'Delta Cloud' }
const brandHost = 'delta.localhost'
const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'

let site: OwnSite
let browser: Browser
let db: Database

beforeAll(async () => {
  site = await startSite()
  ;({ browser } = await shareSite())
  db = await site.openDatabase()
  const person = await createUser(db)
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', person.userId).execute()
  const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => person.token })
  const file = new File([logo], 'logo.svg')
  const { url: logoUrl } = await client.call(brands.createUpload, { purpose: 'brand', file })
  const versions = { latest: '1.4.2', lowest: '1.1.0' }
  await client.call(operator.createBrand, {
    hosts: [brandHost],
    isDefault: false,
    platformName: name,
    logoUrl,
    logoDarkUrl: '',
    loginImageUrl: '',
    faviconUrl: logoUrl,
    accent: '#0e8c8c',
    emailSender: '',
    smsSignature: '',
    versions: { pc: versions, mobile: versions, tv: versions },
    downloads: [],
    icp: '沪ICP备0000号',
  })
})

afterAll(async () => {
  await db?.destroy()
  await site?.stop()
})

const wide: Look = { lang: 'en', theme: 'light', size: 'wide' }

describe('a second brand on a separate host', () => {
  it('looks like another product from the first paint on', () => {
    const url = new URL(site.url)
    url.hostname = brandHost
    return withView(browser, { url: url.origin }, wide, async ({ page, complaints }) => {
      await page.goto('/login', { waitUntil: 'commit' })
      expect(await page.title()).toBe(name.en)
      await page.getByText(name.en).first().waitFor()
      await page.getByText('沪ICP备0000号').waitFor()
      const look = await page.evaluate<{ accent: string; icon: string; own: number; logos: number }>(`({
        accent: getComputedStyle(document.documentElement).getPropertyValue('--brand').trim(),
        icon: document.querySelector('link[rel="icon"]').getAttribute('href'),
        own: document.body.innerText.includes('Busbar') ? 1 : 0,
        logos: [...document.images].filter((image) => image.naturalWidth > 0).length,
      })`)
      expect(look).toMatchObject({ accent: '#0e8c8c', own: 0 })
      expect(look.icon).toMatch(/^\/uploads\/[0-9a-f]{32}\.svg$/)
      expect(look.logos).toBeGreaterThan(0)
      expect(await findFaults(page, 'login of another brand')).toEqual([])
      expect(complaints).toEqual([])
    })
  })

  it('leaves the main brand as it was', () =>
    withView(browser, site, wide, async ({ page }) => {
      await page.goto('/login')
      await page.getByText('Busbar').first().waitFor()
      await page.waitForFunction('document.title === "Busbar"')
      expect(await page.evaluate('document.documentElement.dataset.brand === undefined')).toBe(true)
    }))
})

describe.each(pickTurns('API reference', ['cn', 'en'] as const))('the API reference, %s', (lang) => {
  const t = words[lang]

  it('is searched, read and tried by a signed-in person', () =>
    withView(browser, site, { ...wide, lang }, async (view) => {
      const { page } = view
      await signInDirectly(view, site, db)
      await page.goto('/apiDoc')
      const calls = page.getByRole('navigation', { name: t.list }).getByRole('link')
      await calls.first().waitFor()
      expect(await calls.count()).toBe(routes.filter(({ path }) => /^\/e?api\//.test(path)).length)
      await page.getByLabel(t.search).fill('selectInfo')
      await calls.first().click()
      await page.getByRole('heading', { name: t.answer }).waitFor()
      await page.getByRole('button', { name: t.send, exact: true }).click()
      await page.getByText('"userid"').waitFor()
      expect(await findFaults(page, '/apiDoc')).toEqual([])
      expect(view.complaints).toEqual([])
    }))

  it('is open to strangers on a phone, whose calls are refused as strangers', () =>
    withView(browser, site, { lang, theme: 'dark', size: 'narrow' }, async ({ page }) => {
      await page.goto('/apiDoc#get/api/user/v1/tokenInfo')
      await page.getByRole('button', { name: t.send, exact: true }).click()
      await page.getByText('TOKEN_INVALID').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(await findFaults(page, '/apiDoc, narrow')).toEqual([])
      await page.getByRole('link', { name: t.back }).click()
      await page.getByLabel(t.search).waitFor()
    }))
})
