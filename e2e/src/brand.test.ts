import { brands, createClient, operator, routes } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, signIn, type TestMachine, type TestUser } from '@busbar/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiDoc as cn } from '../../console/src/shared/i18n/cn/api-doc.ts'
import { apiDoc as en } from '../../console/src/shared/i18n/en/api-doc.ts'
import { operatorText } from '../../console/src/shared/i18n/en/operator.ts'
import { type ModbusRig, startModbusRig } from './modbus-rig.ts'
import { findRow } from './rows.ts'
import { shareSite } from './shared-site.ts'
import { type OwnSite, startSite } from './site.ts'
import { type Look, sessionCookies, signInDirectly, type View, withView } from './view.ts'
import { enterLink, expectWayIn, openTab } from './visits.ts'

/** Delta has a look, a host and a visit domain; Beta has a host alone, and is made by an operator's hands. */
const delta = { cn: '德尔塔云', en: 'Delta Cloud' }
const deltaHost = 'delta.localhost'
const deltaVisits = 'delta-machines.localhost'
const betaHost = 'beta.localhost'
const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'
const machineName = 'Press of two brands'
const wide: Look = { lang: 'en', theme: 'light', size: 'wide' }
const { brands: t, brandForm } = operatorText

let site: OwnSite
let browser: Browser
let db: Database
let modbusRig: ModbusRig
let person: TestUser
let boss: TestUser
let machine: TestMachine

beforeAll(async () => {
  // Starts a separate site, because people of other files would see these brands.
  site = await startSite()
  ;({ browser } = await shareSite())
  db = await site.openDatabase()
  person = await createUser(db, { name: 'Bea' })
  machine = await createMachine(db, { name: machineName, owner: person.userId })
  modbusRig = await startModbusRig(site, machine, { tunnelUrl: site.tunnelUrl })
  await modbusRig.startAgent()
  boss = await createUser(db)
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
  const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => boss.token })
  const file = new File([logo], 'logo.svg')
  const { url: logoUrl } = await client.call(brands.createUpload, { purpose: 'brand', file })
  const versions = { latest: '1.4.2', lowest: '1.1.0' }
  await client.call(operator.createBrand, {
    hosts: [deltaHost],
    visitDomain: deltaVisits,
    isDefault: false,
    platformName: delta,
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
  await modbusRig?.close()
  await db?.destroy()
  await site?.stop()
})

const urlOf = (host: string): string => {
  const url = new URL(site.url)
  url.hostname = host
  return url.origin
}

it('a second brand looks like another product from the first paint on, and leaves the main one as it was', async () => {
  await withView(browser, { url: urlOf(deltaHost) }, wide, async ({ page, complaints }) => {
    await page.goto('/login', { waitUntil: 'commit' })
    expect(await page.title()).toBe(delta.en)
    await page.getByText(delta.en).first().waitFor()
    await page.getByText('沪ICP备0000号').waitFor()
    await page.waitForFunction('[...document.images].some((image) => image.naturalWidth > 0)')
    const look = await page.evaluate<{ accent: string; icon: string; own: number; logos: number }>(`({
      accent: getComputedStyle(document.documentElement).getPropertyValue('--brand').trim(),
      icon: document.querySelector('link[rel="icon"]').getAttribute('href'),
      own: document.body.innerText.includes('Busbar') ? 1 : 0,
      logos: [...document.images].filter((image) => image.naturalWidth > 0).length,
    })`)
    expect(look).toMatchObject({ accent: '#0e8c8c', own: 0 })
    expect(look.icon).toMatch(/^\/uploads\/[0-9a-f]{32}\.svg$/)
    expect(look.logos).toBeGreaterThan(0)
    expect(complaints).toEqual([])
  })
  await withView(browser, site, wide, async ({ page }) => {
    await page.goto('/login')
    await page.getByText('Busbar').first().waitFor()
    await page.waitForFunction('document.title === "Busbar"')
    expect(await page.evaluate('document.documentElement.dataset.brand === undefined')).toBe(true)
  })
})

it('an operator sets up a brand that its host wears, and archives and restores it', () =>
  withView(browser, site, wide, async (view) => {
    await signInDirectly(view, site, db, boss)
    const { page } = view
    const titleAt = async (host: string) => {
      const other = await view.context.newPage()
      await other.goto(`${urlOf(host)}/login`, { waitUntil: 'commit' })
      const title = await other.title()
      await other.close()
      return title
    }
    await page.goto('/backManage?part=brands')
    await page.getByRole('button', { name: t.add }).click()
    const dialog = page.getByRole('dialog', { name: brandForm.create })
    await dialog.getByLabel(brandForm.nameCn).fill('贝塔云')
    await dialog.getByLabel(brandForm.nameEn).fill('Beta')
    await dialog.getByLabel(brandForm.hosts).fill(betaHost)
    await dialog.getByLabel(brandForm.accent).fill('#0b7a5b')
    await dialog.getByRole('complementary', { name: brandForm.preview }).getByText('Beta').first().waitFor()
    await dialog.getByRole('button', { name: brandForm.save }).click()
    const row = findRow(page, betaHost)
    await row.waitFor()
    expect(await titleAt(betaHost)).toBe('Beta')

    await row.getByRole('button', { name: t.archive }).click()
    const asked = page.getByRole('dialog', { name: t.confirmArchive('Beta') })
    await asked.getByRole('button', { name: t.archive, exact: true }).click()
    await row.waitFor({ state: 'detached' })
    expect(await titleAt(betaHost)).toBe('Busbar')
    expect(await titleAt(deltaHost)).toBe(delta.en)

    await page.getByRole('radio', { name: t.filters.archived }).click()
    await row.getByRole('button', { name: t.unarchive }).click()
    const again = page.getByRole('dialog', { name: t.confirmUnarchive('Beta') })
    await again.getByRole('button', { name: t.unarchive, exact: true }).click()
    await row.waitFor({ state: 'detached' })
    expect(await titleAt(betaHost)).toBe('Beta')
    expect(view.complaints).toEqual([])
  }))

/** A browser in which the person is signed in on only one host. */
async function onHost(host: string, work: (view: View) => Promise<void>): Promise<void> {
  const { id } = await db
    .selectFrom('brand_hosts')
    .select('brand_id as id')
    .where('host', '=', host)
    .executeTakeFirstOrThrow()
  await withView(browser, { url: urlOf(host) }, wide, async (view) => {
    const { token } = await signIn(db, person.userId, { brandId: id })
    await view.context.addCookies(sessionCookies({ url: urlOf(host) }, token))
    await work(view)
  })
}

it.each([
  [deltaHost, deltaVisits],
  [betaHost, 'visit.localhost'],
])(
  'the host %s enters a device: from its list, again by a kept link, and after leaving',
  (host, visitDomain) =>
    onHost(host, async (view) => {
      await view.page.goto('/index/')
      await expectWayIn(view, machineName, true)
      const tab = await openTab(view, enterLink(view, machineName))
      await tab.waitForURL(({ hostname }) => hostname === `${machine.code}.${visitDomain}`)
      await tab.locator('.tile').first().waitFor()
      const kept = tab.url()
      expect(new URL(kept).searchParams.get('from')).toMatch(/^console-/)

      const { hostname } = new URL(kept)
      await view.context.clearCookies({ domain: hostname })
      await tab.goto(kept)
      await tab.locator('.tile').first().waitFor()
      expect(new URL(tab.url()).hostname).toBe(hostname)

      // The page's address does not name the console; the browser remembers it.
      await view.context.clearCookies({ domain: hostname, name: 'visit' })
      await tab.goto(`http://${new URL(kept).host}/`)
      await tab.locator('.tile').first().waitFor()
    }),
)

it('the API reference is searched, read and tried by a signed-in person', () =>
  withView(browser, site, wide, async (view) => {
    const { page } = view
    const words = en.apiDoc
    await signInDirectly(view, site, db)
    await page.goto('/apiDoc')
    const list = page.getByRole('navigation', { name: words.list })
    const calls = list.getByRole('listitem').getByRole('link')
    await calls.first().waitFor()
    // The first call is open beneath the introduction, so that the page shows what it is about.
    await page.getByRole('heading', { name: words.answer }).waitFor()
    expect(await calls.count()).toBe(routes.filter(({ path }) => /^\/e?api\//.test(path)).length)
    await page.getByLabel(words.search).fill('selectInfo')
    await calls.first().click()
    await page.getByRole('main').getByText('selectInfo').first().waitFor()
    await page.getByRole('button', { name: words.send, exact: true }).click()
    await page.getByText('"userid"').waitFor()
    await list.getByRole('link', { name: words.guide }).click()
    await page.getByText('receiver.ts', { exact: true }).waitFor()
    expect(view.complaints).toEqual([])
  }))

it('the API reference is open to strangers on a phone, whose calls are refused as strangers', () =>
  withView(browser, site, { lang: 'cn', theme: 'dark', size: 'narrow' }, async ({ page }) => {
    const words = cn.apiDoc
    await page.goto('/apiDoc#get/api/user/v1/tokenInfo')
    await page.getByRole('button', { name: words.send, exact: true }).click()
    await page.getByText('TOKEN_INVALID').waitFor()
    await page.getByRole('link', { name: words.back }).click()
    await page.getByLabel(words.search).waitFor()
  }))
