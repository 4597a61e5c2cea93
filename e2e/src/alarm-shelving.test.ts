import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine } from '@busbar/testkit'
import { pickTurns } from '@busbar/testkit/turns.ts'
import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { type Look, signInDirectly, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const looks: readonly Look[] = [
  { lang: 'en', theme: 'light', size: 'wide' },
  { lang: 'cn', theme: 'dark', size: 'narrow' },
]

it.each(pickTurns('shelving', looks))(
  'an alarm is shelved with a reason until its time is over, then taken out of service, in $lang',
  (look) =>
    withView(browser, site, look, async (view) => {
      const { page, t } = view
      const { acts, stages, page: words } = t.alarms
      const person = await signInDirectly(view, site, db)
      const { machineId } = await createMachine(db, { name: 'Press 1', owner: person.userId })
      const { rows } = await sql<{ id: number }>`
      insert into alarms (machine_id, key, level, text, raised_at, received_at)
      values (${machineId}, 'OIL', 'major', '{"en":"Oil low","cn":"油位低"}', now(), now()) returning id`.execute(
        db,
      )
      await page.goto(`/alarmCenter?eid=0&alarm=${rows[0]?.id}`)
      const pane = page.locator('[data-pane]')
      await pane.getByText(stages.activeUnacknowledged).waitFor()

      await pane.getByRole('button', { name: acts.shelve, exact: true }).click()
      const shelving = page.getByRole('dialog', { name: acts.shelveTitle(1) })
      const shelve = shelving.getByRole('button', { name: acts.shelve, exact: true })
      expect(await shelve.isDisabled()).toBe(true)
      await shelving.getByLabel(acts.reason).fill('Sensor on order')
      await shelving.getByText(acts.spans.hour, { exact: true }).click()
      await shelve.click()
      await shelving.waitFor({ state: 'detached' })
      await pane.getByText(stages.shelved, { exact: true }).first().waitFor()
      await pane.getByText('Sensor on order').first().waitFor()

      // Its hour is over.
      await sql`update alarm_shelves set until = now() where machine_id = ${machineId}`.execute(db)
      await page.reload()
      await pane.getByText(stages.activeUnacknowledged).waitFor()
      const journal = pane.getByRole('region', { name: words.journal })
      await expect
        .poll(
          async () => {
            await page.reload()
            await journal.getByText(t.alarms.events.shelved, { exact: true }).waitFor()
            return journal.getByText(t.alarms.events.unshelved, { exact: true }).count()
          },
          { timeout: 30_000, interval: 1_000 },
        )
        .toBe(1)
      await journal.getByText(words.itself, { exact: true }).waitFor()

      await pane.getByRole('button', { name: acts.outOfService, exact: true }).click()
      const out = page.getByRole('dialog', { name: acts.outTitle(1) })
      await out.getByLabel(acts.reason).fill('Pump removed')
      await out.getByRole('button', { name: acts.outOfService, exact: true }).click()
      await out.waitFor({ state: 'detached' })
      await pane.getByText(stages.outOfService, { exact: true }).first().waitFor()
      await pane.getByRole('button', { name: acts.inService, exact: true }).click()
      await pane.getByText(stages.activeUnacknowledged).waitFor()
      await journal.getByText(t.alarms.events.inService, { exact: true }).waitFor()
      expect(view.complaints).toEqual([])
    }),
  120_000,
)
