import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, type TestMachine } from '@busbar/testkit'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { detailPane } from './devices.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }

async function tell(machine: TestMachine, values: object): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${machine.code}:${machine.secret}`).toString('base64')}`
  const answer = await fetch(`${site.url}/api/v1/ingest`, {
    method: 'POST',
    body: JSON.stringify({ ts: Date.now(), values }),
    headers: { 'content-type': 'application/json', authorization },
  })
  expect(answer.status).toBe(200)
}

/** A file of three rules: one fits, one names a variable that the device lacks, one lacks a level. */
async function fileOf({ machineId }: TestMachine): Promise<string> {
  const { rows } = await sql<{ group: string }>`
    select group_name as "group" from tags
    where machine_id = ${machineId} and name = 'temp'`.execute(db)
  const group = rows[0]?.group ?? ''
  return [
    'group,tag,kind,op,limit,deadband,level,onDelay,offDelay,cn,en',
    `${group},temp,threshold,>,80,2,major,0,0,温度过高,Too hot`,
    `${group},speed,threshold,>,80,2,major,0,0,速度过高,Too fast`,
    `${group},temp,threshold,>,95,2,worst,0,0,温度过高,Too hot`,
  ].join('\r\n')
}

async function choose({ page, t }: View, name: string): Promise<void> {
  await page.getByRole('button', { name: t.alarmRules.more, exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
}

async function readFile(page: Page, press: () => Promise<void>): Promise<string> {
  const saved = page.waitForEvent('download')
  await press()
  const chunks: Buffer[] = []
  for await (const chunk of await (await saved).createReadStream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

it(
  'rules come by CSV with refused lines named, go out by CSV, to other devices, and into a template',
  () =>
    withView(browser, site, desk, async (view) => {
      const { page, t } = view
      const words = t.alarmRules
      const person = await signInDirectly(view, site, db)
      const oven = (name: string) => createMachine(db, { name, owner: person.userId, type: 'oven' })
      const [first, second, third] = [await oven('Oven 4'), await oven('Oven 5'), await oven('Oven 6')]
      for (const machine of [first, second, third]) await tell(machine, { temp: 60.5 })
      const open = async (name: string, { machineId }: TestMachine) => {
        await page.goto(`/index/?machine=${machineId}&tab=rules`)
        return detailPane(view, name)
      }

      const pane = await open('Oven 4', first)
      await pane.getByText(words.none).waitFor()
      await choose(view, words.importing.title)
      const importing = page.getByRole('dialog', { name: words.importing.title })
      const file = { name: 'rules.csv', mimeType: 'text/csv', buffer: Buffer.from(await fileOf(first)) }
      await importing.getByLabel(words.importing.choose).setInputFiles(file)
      await importing.getByRole('button', { name: words.importing.start, exact: true }).click()
      await importing.getByText(words.importing.created('1')).waitFor()
      await importing.getByText(words.importing.refused('2')).waitFor()
      await importing.getByText(words.refusals.tagUnknown, { exact: false }).waitFor()
      await importing.getByText('Line 4', { exact: false }).waitFor()
      expect(await findFaults(page, 'import of rules')).toEqual([])
      const refused = await readFile(page, () =>
        importing.getByRole('button', { name: words.importing.save }).click(),
      )
      expect(refused).toContain('speed')
      expect(refused).not.toContain('temp,threshold,>,80')
      await importing.getByRole('button', { name: t.app.close, exact: true }).last().click()
      await pane.getByText('temp > 80', { exact: true }).first().waitFor()

      const exported = await readFile(page, () => choose(view, words.exporting.action))
      expect(exported.split('\r\n')[1]).toContain('Too hot')

      await choose(view, words.copy)
      const copying = page.getByRole('dialog', { name: words.copying.title })
      await copying.getByRole('searchbox').or(copying.getByRole('combobox')).last().fill('Oven 5')
      await copying.getByText('Oven 5').first().click()
      await copying.getByRole('button', { name: words.copying.start, exact: true }).click()
      await copying.getByRole('list', { name: words.copying.perDevice }).getByText(words.copying.ok).waitFor()
      await copying.getByRole('button', { name: t.app.close, exact: true }).last().click()

      await choose(view, words.templates.title)
      const templates = page.getByRole('dialog', { name: words.templates.title })
      await templates.getByLabel(words.templates.name).fill('Ovens')
      await templates.getByRole('button', { name: words.templates.save, exact: true }).click()
      await templates.getByRole('button', { name: words.templates.applyTo('Ovens') }).waitFor()

      const other = await open('Oven 5', second)
      await other.getByText('temp > 80', { exact: true }).first().waitFor()
      const last = await open('Oven 6', third)
      await last.getByText(words.none).waitFor()
      await choose(view, words.templates.title)
      await templates.getByRole('button', { name: words.templates.applyTo('Ovens') }).click()
      await templates.getByText(words.templates.applied('1')).waitFor()
      await templates.getByRole('button', { name: t.app.close, exact: true }).last().click()
      await last.getByText('temp > 80', { exact: true }).first().waitFor()
      expect(view.complaints).toEqual([])
    }),
  120_000,
)
