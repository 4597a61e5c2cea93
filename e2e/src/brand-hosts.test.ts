import { createClient, operator } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, signIn, type TestMachine, type TestUser } from '@busbar/testkit'
import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorText } from '../../console/src/shared/i18n/en/operator.ts'
import { type ModbusRig, startModbusRig } from './modbus-rig.ts'
import { findRow } from './rows.ts'
import { shareSite } from './shared-site.ts'
import { type OwnSite, startSite } from './site.ts'
import { type Look, sessionCookies, signInDirectly, type View, withView } from './view.ts'
import { enterLink, expectWayIn, openTab } from './visits.ts'

/** Alpha has two hosts and a visit domain, Beta has one host and no visit domain. */
const alpha = { hosts: ['a1.localhost', 'a2.localhost'], visitDomain: 'alpha-machines.localhost' }
const beta = { hosts: ['b1.localhost'], visitDomain: '' }
const machineName = 'Press of two brands'
const look: Look = { lang: 'en', theme: 'light', size: 'wide' }
const t = operatorText.brands

let site: OwnSite
let browser: Browser
let db: Database
let modbusRig: ModbusRig
let person: TestUser
let machine: TestMachine
const brandIds = new Map<string, number>()

beforeAll(async () => {
  // Starts a separate site, because people of other files would see these brands.
  site = await startSite()
  ;({ browser } = await shareSite())
  db = await site.openDatabase()
  person = await createUser(db, { name: 'Bea' })
  machine = await createMachine(db, { name: machineName, owner: person.userId })
  modbusRig = await startModbusRig(site, machine, { tunnelUrl: site.tunnelUrl })
  await modbusRig.startAgent()
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
  await modbusRig?.close()
  await db?.destroy()
  await site?.stop()
})

const urlOf = (host: string): string => {
  const url = new URL(site.url)
  url.hostname = host
  return url.origin
}

/** A browser in which the person is signed in on only one host. */
function onHost(host: string, work: (view: View) => Promise<void>): Promise<void> {
  return withView(browser, { url: urlOf(host) }, look, async (view) => {
    const { token } = await signIn(db, person.userId, { brandId: brandIds.get(host) ?? 1 })
    await view.context.addCookies(sessionCookies({ url: urlOf(host) }, token))
    await work(view)
  })
}

describe('a brand’s host enters a device', () => {
  const hosts = [
    ['a1.localhost', alpha.visitDomain],
    ['a2.localhost', alpha.visitDomain],
    ['b1.localhost', 'visit.localhost'],
  ]

  it.each(pickTurns('hosts of brands', hosts))(
    '%s: from its list, again by a kept link, and after leaving',
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
})

describe('an archived brand', () => {
  it('shows the default brand on its host, until an operator restores it', () =>
    withView(browser, site, look, async (view) => {
      const boss = await signInDirectly(view, site, db)
      await db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
      const { page } = view
      const titleAt = async (host: string) => {
        const other = await view.context.newPage()
        await other.goto(`${urlOf(host)}/login`, { waitUntil: 'commit' })
        const title = await other.title()
        await other.close()
        return title
      }
      await page.goto('/backManage?part=brands')
      const row = findRow(page, 'b1.localhost')
      await row.getByRole('button', { name: t.archive }).click()
      const asked = page.getByRole('dialog', { name: t.confirmArchive('Beta') })
      await asked.getByRole('button', { name: t.archive, exact: true }).click()
      await row.waitFor({ state: 'detached' })
      expect(await titleAt('b1.localhost')).toBe('Busbar')
      expect(await titleAt('a1.localhost')).toBe('Alpha')

      await page.getByRole('radio', { name: t.filters.archived }).click()
      await row.getByRole('button', { name: t.unarchive }).click()
      const again = page.getByRole('dialog', { name: t.confirmUnarchive('Beta') })
      await again.getByRole('button', { name: t.unarchive, exact: true }).click()
      await row.waitFor({ state: 'detached' })
      expect(await titleAt('b1.localhost')).toBe('Beta')
      expect(view.complaints).toEqual([])
    }))
})
