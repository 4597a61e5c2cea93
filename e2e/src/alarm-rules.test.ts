import { createMachine, type TestMachine } from '@busbar/testkit'
import { sql } from 'kysely'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { detailPane } from './devices.ts'
import { readDownload } from './downloads.ts'
import { sendSamples } from './ingest.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

/** An alarm is raised within a second, and the list reloads every ten. */
const deadlineMs = 20_000
const hourMs = 3_600_000
const phone: Look = { lang: 'cn', theme: 'dark', size: 'narrow' }
const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }

const { site, browser, db } = await shareSite()

const tell = (machine: TestMachine, values: Readonly<Record<string, number | string>>) =>
  sendSamples(site, machine, [{ ts: Date.now(), values }])

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

it('a rule is made by form, tried, raises its alarm, is edited and deleted', () =>
  withView(browser, site, phone, async (view) => {
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
    await page.getByRole('radio', { name: t.table.select('temp') }).click()
    await page.getByRole('button', { name: t.history.picker.select(1), exact: true }).click()
    await dialog.getByText('60.5').first().waitFor()
    const limit = dialog.getByRole('spinbutton', { name: words.editor.limit })
    await limit.fill('80')
    await dialog.getByRole('spinbutton', { name: words.editor.deadband }).fill('2')
    await dialog.getByText(words.editor.deadbandAbove('78')).waitFor()

    // Tried on the past before it is saved.
    await dialog.getByRole('button', { name: words.trial.start }).click()
    await dialog.getByText(words.trial.count('2')).waitFor()
    await dialog.locator('canvas').waitFor()
    await dialog.getByRole('list', { name: words.trial.spans }).getByRole('button').first().click()
    await dialog.getByRole('button', { name: words.trial.all }).click()
    await dialog.getByRole('button', { name: words.editor.save }).click()
    await pane.getByText('temp > 80', { exact: true }).first().waitFor()

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
      const readFile = async (press: () => Promise<void>) => {
        const saved = page.waitForEvent('download')
        await press()
        return readDownload(await saved)
      }
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
      const refused = await readFile(() =>
        importing.getByRole('button', { name: words.importing.save }).click(),
      )
      expect(refused).toContain('speed')
      expect(refused).not.toContain('temp,threshold,>,80')
      await importing.getByRole('button', { name: t.app.close, exact: true }).last().click()
      await pane.getByText('temp > 80', { exact: true }).first().waitFor()

      const exported = await readFile(() => choose(view, words.exporting.action))
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

it('the rules of all devices are one table, where a new rule asks for its device', () =>
  withView(browser, site, desk, async (view) => {
    const { page, t } = view
    const words = t.alarmRules
    const person = await signInDirectly(view, site, db)
    const oven = (name: string) => createMachine(db, { name, owner: person.userId })
    const [first, second] = [await oven('Oven 1'), await oven('Oven 2')]
    for (const machine of [first, second]) await tell(machine, { temp: 60.5 })
    await page.goto('/alarmCenter/rules?eid=0')
    await page.getByText(words.none).waitFor()

    // The first device has no rule: the list begins with those that are there.
    await page.getByRole('button', { name: words.add }).click()
    const dialog = page.getByRole('dialog', { name: words.editor.add })
    await dialog.getByRole('button', { name: new RegExp(`^${words.pick.device} `) }).click()
    await page.getByRole('option', { name: 'Oven 2' }).click()
    await variableOf(dialog, view).click()
    await page.getByRole('radio', { name: t.table.select('temp') }).click()
    await page.getByRole('button', { name: t.history.picker.select(1), exact: true }).click()
    await dialog.getByRole('spinbutton', { name: words.editor.limit }).fill('80')
    await dialog.getByRole('button', { name: words.editor.save }).click()
    const main = page.locator('main')
    await main.getByText('temp > 80', { exact: true }).first().waitFor()
    await main.getByText('Oven 2', { exact: true }).first().waitFor()

    await tell(second, { temp: 91 })
    const row = main.getByRole('row', { name: /Oven 2/ })
    await row.getByText(words.states.active).waitFor({ timeout: deadlineMs })
    await row.getByText('temp is above 80').waitFor()

    // A press on the row opens the rule, and the menu leads to its device.
    await main.getByText('temp > 80', { exact: true }).first().click()
    const editor = page.getByRole('dialog', { name: words.editor.edit })
    await editor.getByRole('spinbutton', { name: words.editor.limit }).fill('95')
    await editor.getByRole('button', { name: words.editor.save }).click()
    await main.getByText('temp > 95', { exact: true }).first().waitFor()
    await page.goto(`/alarmCenter/rules?eid=0&machine=${first.machineId}`)
    await main.getByText(words.none).waitFor()
    expect(view.complaints).toEqual([])
  }))
