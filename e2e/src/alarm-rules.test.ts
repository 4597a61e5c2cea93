import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, type TestMachine } from '@busbar/testkit'
import { sql } from 'kysely'
import type { Browser, Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { detailPane } from './devices.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { looksOf, signInDirectly, type View, withView } from './view.ts'

/** An alarm is raised within a second, and the list reloads every ten. */
const deadlineMs = 20_000
const hourMs = 3_600_000

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

async function tell(machine: TestMachine, values: object): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${machine.code}:${machine.secret}`).toString('base64')}`
  const answer = await fetch(`${site.url}/api/v1/ingest`, {
    method: 'POST',
    body: JSON.stringify({ ts: Date.now(), values }),
    headers: { 'content-type': 'application/json', authorization },
  })
  expect(answer.status).toBe(200)
}

/** Samples of some hours ago, which rose above 80 twice. */
async function fillPast(machineId: number): Promise<void> {
  const begin = Date.now() - 6 * hourMs
  await sql`
    insert into samples (tag_id, at, received_at, quality, late, num)
    select t.id, to_timestamp(${begin} / 1000.0) + n * interval '1 minute', to_timestamp(${begin} / 1000.0),
           192, false, case when n between 60 and 69 or n between 180 and 199 then 90 else 60 + n % 7 end
    from tags t, generate_series(0, 300) n
    where t.machine_id = ${machineId} and t.name = 'temp'`.execute(db)
}

const variableOf = (dialog: Locator, { t }: View) =>
  dialog.getByRole('button', { name: new RegExp(`^${t.alarmRules.editor.tag} `) })

describe.each(looksOf('alarm rules'))('alarm rules in $lang, $size, $theme', (look) => {
  it('a rule is made by form, tried, raises its alarm, is edited and deleted', () =>
    withView(browser, site, look, async (view) => {
      const { page, t } = view
      const words = t.alarmRules
      const person = await signInDirectly(view, site, db)
      const machine = await createMachine(db, { name: 'Oven 4', owner: person.userId })
      await tell(machine, { temp: 60.5, mode: 'auto' })
      await fillPast(machine.machineId)
      await page.goto(`/index/?machine=${machine.machineId}&tab=rules`)
      const pane = detailPane(view, 'Oven 4')
      await pane.getByText(words.none).waitFor()

      // A missing entry is named at its field, and the other entries stay.
      await pane.getByRole('button', { name: words.add }).click()
      const dialog = page.getByRole('dialog', { name: words.editor.add })
      await dialog.getByRole('button', { name: words.editor.save }).click()
      await dialog.getByText(words.editor.required).first().waitFor()
      await variableOf(dialog, view).click()
      await page.getByRole('option', { name: 'temp' }).click()
      await dialog.getByText('60.5').first().waitFor()
      const limit = dialog.getByRole('spinbutton', { name: words.editor.limit })
      await limit.fill('80')
      await dialog.getByRole('spinbutton', { name: words.editor.deadband }).fill('2')
      await dialog.getByText(words.editor.deadbandAbove('78')).waitFor()

      // Tried on the past before it is saved.
      await dialog.getByRole('button', { name: words.trial.start }).click()
      await dialog.getByText(words.trial.count('2', '30')).waitFor()
      await dialog.locator('canvas').waitFor()
      await dialog.getByRole('list', { name: words.trial.spans }).getByRole('button').first().click()
      await dialog.getByRole('button', { name: words.trial.all }).click()
      expect(await findFaults(page, 'editor')).toEqual([])
      await dialog.getByRole('button', { name: words.editor.save }).click()
      await pane.getByText('temp > 80', { exact: true }).first().waitFor()
      expect(await findFaults(page, 'rules')).toEqual([])

      // A value crosses the limit, and the alarm is raised.
      await tell(machine, { temp: 91 })
      await pane.getByText(words.states.active).first().waitFor({ timeout: deadlineMs })

      // A change of the condition clears it.
      await pane.getByRole('button', { name: words.edit, exact: true }).click()
      const editor = page.getByRole('dialog', { name: words.editor.edit })
      await editor.getByText(words.editor.clears).waitFor()
      await editor.getByRole('spinbutton', { name: words.editor.limit }).fill('95')
      await editor.getByRole('button', { name: words.editor.save }).click()
      await pane.getByText('temp > 95', { exact: true }).first().waitFor()
      await pane.getByText(words.states.normal).first().waitFor({ timeout: deadlineMs })

      await pane.getByRole('button', { name: words.moreOf('temp > 95') }).click()
      await page.getByRole('menuitem', { name: words.remove }).click()
      const asks = page.getByRole('dialog', { name: words.removing.title })
      await asks.getByRole('button', { name: words.remove }).click()
      await pane.getByText(words.none).waitFor()
    }))
})
