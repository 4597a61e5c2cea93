import { exports as contract, createClient, telemetry } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser } from '@busbar/testkit'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { readDownload } from './downloads.ts'
import { exportWords } from './export-screens.ts'
import { sendSamples } from './ingest.ts'
import { findPageFaults } from './page-faults.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { dismissNotices, looksOf, signInDirectly, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

describe.each(looksOf('exports'))('exports in $lang, $size, $theme', (look) => {
  it('variables of a link are previewed, exported, downloaded, and the export is deleted', () =>
    withView(browser, site, look, async (view) => {
      const { page, lang } = view
      const words = exportWords[lang]
      const person = await createUser(db)
      const machine = await createMachine(db, { owner: person.userId, name: 'Press 7' })
      const at = Date.now() - 60_000
      await sendSamples(site, machine, [
        { ts: at, values: { temp: 60.5, speed: 7 } },
        { ts: at + 1_000, values: { temp: 61.25 } },
      ])
      const session = await signInDirectly(view, site, db, person)
      const client = createClient({ baseUrl: site.url, lang: () => lang, token: () => session.token })
      const tags = await client.call(telemetry.listTags, { machineId: machine.machineId })
      const ids = ['temp', 'speed'].map((name) => tags.find(({ tag }) => tag === name)?.tagId)

      await page.goto(`/dataCenter/exports?eid=0&tags=${ids}&from=${at - 60_000}&to=${at + 60_000}&tz=UTC`)
      const dialog = page.getByRole('dialog', { name: words.add })
      await dialog.getByRole('cell', { name: '61.25' }).waitFor()
      expect(await findFaults(page, 'the form of an export')).toEqual([])
      // A file that is read as text.
      await dialog.getByRole('button', { name: words.form.format }).click()
      await page.getByRole('option', { name: 'csv' }).click()
      await dialog.getByRole('button', { name: words.form.submit, exact: true }).click()
      await dialog.waitFor({ state: 'hidden' })

      await page.getByText(words.states.ready).first().waitFor()
      const [row] = await client.call(contract.listExports, {})
      const waiting = page.waitForEvent('download')
      await page.getByRole('button', { name: words.downloadOf(row?.name ?? '') }).click()
      const download = await waiting
      expect(download.suggestedFilename()).toBe(row?.name)
      const lines = (await readDownload(download)).trim().split('\r\n')
      expect(lines.map((line) => line.split(',').slice(1))).toEqual([
        ['Press 7 / temp', 'Press 7 / speed'],
        ['60.5', '7'],
        ['61.25', ''],
      ])
      expect(await findFaults(page, 'the list of exports')).toEqual([])
      await dismissNotices(view)
      expect(await findPageFaults(page)).toEqual([])
      await page.getByRole('button', { name: words.removeOf(row?.name ?? '') }).click()
      await page.getByText(words.empty).waitFor()
    }))
})
