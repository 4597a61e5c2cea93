import { createClient, operator } from '@busbar/contract'
import type { Database } from '@busbar/platform/database/database.ts'
import { createMachine, createUser, signIn, type TestMachine, type TestUser } from '@busbar/testkit'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plant, startPlant } from './plant.ts'
import { type Site, startSite } from './site.ts'
import { type Look, sessionCookies, type View, withView } from './view.ts'
import { enterLink, expectWayIn, openTab } from './visits.ts'

/** Alpha has two hosts and a visit domain of its own, Beta has one host and none. */
const alpha = { hosts: ['a1.localhost', 'a2.localhost'], visitDomain: 'alpha-machines.localhost' }
const beta = { hosts: ['b1.localhost'], visitDomain: '' }
const machineName = 'Press of two brands'
const look: Look = { lang: 'en', theme: 'light', size: 'wide' }

let site: Site
let browser: Browser
let db: Database
let plant: Plant
let person: TestUser
let machine: TestMachine
const brandIds = new Map<string, number>()

beforeAll(async () => {
  ;[site, browser] = await Promise.all([startSite(), launchBrowser()])
  db = await site.openDatabase()
  person = await createUser(db, { name: 'Bea' })
  machine = await createMachine(db, { name: machineName, owner: person.userId })
  plant = await startPlant(site, machine, { tunnelUrl: site.tunnelUrl })
  await plant.startAgent()
  const boss = await createUser(db)
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
  const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => boss.token })
  const { list } = await client.call(operator.listBrands, {})
  const [main] = list
  if (!main) throw new Error('there is no main brand')
  for (const [name, place] of Object.entries({ Alpha: alpha, Beta: beta })) {
    const platformName = { cn: name, en: name }
    const fields = { ...main, ...place, isDefault: false, platformName }
    const { id } = await client.call(operator.createBrand, fields)
    for (const host of place.hosts) brandIds.set(host, id)
  }
})

afterAll(async () => {
  await plant?.close()
  await db?.destroy()
  await browser?.close()
  await site?.stop()
})

const urlOf = (host: string): string => {
  const url = new URL(site.url)
  url.hostname = host
  return url.origin
}

/** A browser in which the person is signed in on one host and nowhere else. */
function onHost(host: string, work: (view: View) => Promise<void>): Promise<void> {
  return withView(browser, { url: urlOf(host) }, look, async (view) => {
    const { token } = await signIn(db, person.userId, { brandId: brandIds.get(host) ?? 1 })
    await view.context.addCookies(sessionCookies({ url: urlOf(host) }, token))
    await work(view)
  })
}

describe('a brand’s host enters a device', () => {
  it.each([
    ['a1.localhost', alpha.visitDomain],
    ['a2.localhost', alpha.visitDomain],
    ['b1.localhost', 'visit.localhost'],
  ])('%s: from its list, again by a kept link, and after leaving', (host, visitDomain) =>
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

      // The page's own address knows nothing any more; the browser does.
      await view.context.clearCookies({ domain: hostname, name: 'visit' })
      await tab.goto(`http://${new URL(kept).host}/`)
      await tab.locator('.tile').first().waitFor()
    }),
  )
})
