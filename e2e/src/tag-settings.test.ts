import {
  type BoardLayout,
  boards,
  createClient,
  formatCsv,
  parseCsv,
  tagSettings,
  telemetry,
} from '@busbar/contract'
import { createMachine, createUser, type TestMachine } from '@busbar/testkit'
import { expect, it } from 'vitest'
import { tableFileText as tableCn } from '../../console/src/shared/i18n/cn/table-file.ts'
import { tableFileText as tableEn } from '../../console/src/shared/i18n/en/table-file.ts'
import { typeMoments } from './date-fields.ts'
import { readDownload } from './downloads.ts'
import { sendSamples } from './ingest.ts'
import { shareSite } from './shared-site.ts'
import { tagWords } from './tag-words.ts'
import { type Look, signInDirectly, withView } from './view.ts'

const tableTexts = { cn: tableCn, en: tableEn }

const { site, browser, db } = await shareSite()

const phone: Look = { lang: 'cn', theme: 'dark', size: 'narrow' }
const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }

const tell = (machine: TestMachine, values: object) =>
  sendSamples(site, machine, [{ ts: Date.now(), values }])

it('variables get a name, digits and texts, an open board shows them immediately, and a file changes many', () =>
  withView(browser, site, phone, async (view) => {
    const { page, lang } = view
    const words = tagWords[lang]
    const person = await signInDirectly(view, site, db)
    const machine = await createMachine(db, { name: 'Press 7', owner: person.userId })
    const { machineId } = machine
    await tell(machine, { D100: 21.456, D101: 1 })
    const client = createClient({ baseUrl: site.url, lang: () => lang, token: () => person.token })
    const place = { x: 0, y: 0, w: 6, h: 3, title: '' }
    const layout: BoardLayout = {
      variable: null,
      range: { lastMs: 3_600_000 },
      tiles: [{ id: 'a', type: 'value', ...place, tag: { machine: machineId, group: '', tag: 'D100' } }],
    }
    const { id } = await client.call(boards.createBoard, { name: 'Line', layout })

    await withView(browser, site, phone, async (other) => {
      await signInDirectly(other, site, db, person)
      await other.page.goto(`/dataCenter?eid=0&board=${id}`)
      await other.page.getByText('D100').first().waitFor()

      await page.goto(`/index/?machine=${machineId}&tab=variables`)
      await page.getByRole('button', { name: words.edit('D100') }).click()
      const dialog = page.getByRole('dialog', { name: words.title })
      const preview = dialog.getByRole('region', { name: words.preview })
      await dialog.getByRole('textbox', { name: words.name, exact: true }).fill('Oil 温度')
      await dialog.getByRole('textbox', { name: words.unit, exact: true }).fill('°C')
      await preview.getByText('Oil 温度').waitFor()
      await dialog.getByRole('textbox', { name: words.min, exact: true }).fill('90')
      await dialog.getByRole('textbox', { name: words.max, exact: true }).fill('10')
      await dialog.getByRole('button', { name: words.save, exact: true }).click()
      await dialog.getByText(words.problems.order).waitFor()
      await dialog.getByRole('textbox', { name: words.min, exact: true }).fill('0')
      await dialog.getByRole('textbox', { name: words.max, exact: true }).fill('90')
      await dialog.getByRole('button', { name: words.save, exact: true }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByText('Oil 温度').first().waitFor()
      // The other window updates without an action.
      await other.page.getByText('Oil 温度').first().waitFor()
      await other.page.getByText('°C').first().waitFor()
    })

    await page.getByRole('button', { name: words.edit('D101') }).click()
    const dialog = page.getByRole('dialog', { name: words.title })
    await dialog.getByRole('textbox', { name: words.texts }).fill('0 = 停止\n1 = 运行')
    await dialog.getByRole('region', { name: words.preview }).getByText('运行').waitFor()
    await dialog.getByRole('button', { name: words.save, exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('row').getByText('运行').waitFor()

    await page.getByRole('button', { name: words.edit('Oil 温度') }).click()
    await dialog.getByText(words.meters.title, { exact: true }).click()
    await typeMoments(dialog.getByRole('group', { name: words.meters.at }), '2026-01-05T08:30:00')
    const reading = dialog.getByRole('spinbutton', { name: words.meters.from })
    await reading.fill('48213,5')
    // Enter tells the meter, and does not save the form above it.
    await reading.press('Enter')
    await dialog.getByRole('button', { name: words.meters.remove }).waitFor()
    const [told] = await client.call(telemetry.listTags, { machineId })
    expect(told?.settings?.resets).toEqual([
      { at: Date.parse('2026-01-05T08:30:00+08:00'), from: 48_213.5, to: 0 },
    ])
    await dialog.getByRole('button', { name: words.meters.remove }).click()
    await dialog.getByRole('listitem').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: view.t.app.cancel }).click()

    const openImport = async (csv: string) => {
      await page.getByRole('button', { name: words.more, exact: true }).click()
      await page.getByRole('menuitem', { name: words.importing.action }).click()
      const file = { name: 'tags.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
      await page.locator('input[type="file"]').setInputFiles(file)
      return page.getByRole('dialog', { name: words.importing.title })
    }
    const wrong = await openImport(
      formatCsv([
        ['group', 'tag', 'name'],
        ['', 'D999', 'x'],
      ]),
    )
    await wrong.getByText(words.importing.refused('1')).waitFor()
    await wrong.getByRole('button', { name: view.t.app.cancel }).click()
    const right = await openImport(
      formatCsv([
        ['group', 'tag', 'name'],
        ['', 'D100', ''],
        ['', 'D101', '=Mode'],
      ]),
    )
    await right.getByText(words.importing.changes('2')).waitFor()
    await right.getByRole('button', { name: words.importing.apply('2') }).click()
    await right.waitFor({ state: 'hidden' })
    await page.getByText('=Mode').first().waitFor()
    const tags = await client.call(telemetry.listTags, { machineId })
    expect(tags.map(({ name, unit }) => [name, unit])).toEqual([
      ['D100', '°C'],
      ['=Mode', ''],
    ])
    expect(view.complaints).toEqual([])
  }))

it('a German Excel: the file of variables comes back right, and is seen before anything happens', () =>
  withView(browser, site, desk, async (view) => {
    const { page, lang } = view
    const words = tagWords[lang]
    const file = tableTexts[lang]
    const person = await createUser(db)
    await db
      .updateTable('users')
      .set({ time_zone: 'Europe/Berlin' })
      .where('id', '=', person.userId)
      .execute()
    await signInDirectly(view, site, db, person)
    const machine = await createMachine(db, { name: 'Presse 7', owner: person.userId })
    const { machineId } = machine
    await tell(machine, { temp: 21.4, flow: 1.5 })
    const client = createClient({ baseUrl: site.url, lang: () => lang, token: () => person.token })
    await client.call(tagSettings.importTags, {
      machineId,
      csv: 'tag,name,unit,min,max,writable\ntemp,Kühlwasser Rücklauf,°C,-12.5,80.5,true\nflow,=Q1,-,0,1.25,false',
      apply: true,
    })
    await page.goto(`/index/?machine=${machineId}&tab=variables`)
    const chooseItem = async (item: string) => {
      await page.getByRole('button', { name: words.more, exact: true }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    const waiting = page.waitForEvent('download')
    await chooseItem(words.exporting.action)
    const ours = parseCsv(await readDownload(await waiting)).map(({ cells }) => cells)

    // As it saves the file: semicolons, decimal commas, its words for true and false, Windows-1252.
    const german: Record<string, string> = { true: 'WAHR', false: 'FALSCH' }
    const saveAs = (rows: readonly (readonly string[])[]) =>
      Buffer.from(
        rows
          .map((cells) =>
            cells.map((cell) => german[cell] ?? cell.replace(/^(-?\d+)\.(\d+)$/, '$1,$2')).join(';'),
          )
          .join('\r\n'),
        'latin1',
      )
    const choose = async (buffer: Buffer) => {
      await chooseItem(words.importing.action)
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'Variablen.csv', mimeType: 'text/csv', buffer })
      return page.getByRole('dialog', { name: words.importing.title })
    }
    const same = await choose(saveAs(ours))
    await same.getByRole('cell', { name: 'Kühlwasser Rücklauf' }).waitFor()
    await same.getByText(file.encodings['windows-1252']).waitFor()
    await same.getByText(file.rows('3', file.delimiters[';'])).waitFor()
    await same.getByText(words.importing.none).waitFor()
    await same.getByRole('button', { name: view.t.app.cancel }).click()

    const changed = await choose(
      saveAs(ours.map((row) => row.map((cell) => (cell === '80.5' ? '99.75' : cell)))),
    )
    await changed.getByRole('button', { name: words.importing.apply('1') }).click()
    await changed.waitFor({ state: 'hidden' })
    const tags = await client.call(telemetry.listTags, { machineId })
    const shown = tags.map(({ tag, name, unit, min, max }) => [tag, name, unit, min, max])
    expect(shown.sort()).toEqual([
      ['flow', '=Q1', '', 0, 1.25],
      ['temp', 'Kühlwasser Rücklauf', '°C', -12.5, 99.75],
    ])
    expect(view.complaints).toEqual([])
  }))
