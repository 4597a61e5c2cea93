import { opened } from './console-screens.ts'
import { detailPane } from './devices.ts'
import type { Screen } from './screen.ts'
import { tagWords } from './tag-words.ts'
import type { View } from './view.ts'

async function openVariables(view: View) {
  await view.page.goto(`/index/?machine=${opened.machineIds[view.lang]}&tab=variables`)
  const pane = detailPane(view, opened.name[view.lang])
  await pane.getByRole('row').nth(3).waitFor()
  return pane
}

async function openVariable(view: View) {
  const pane = await openVariables(view)
  await pane
    .getByRole('button', { name: /^(Edit|编辑) / })
    .nth(1)
    .click()
  const dialog = view.page.getByRole('dialog', { name: tagWords[view.lang].title })
  await dialog.waitFor()
  return dialog
}

/** Opens the import, and chooses a file. */
async function importFile(view: View, buffer: Buffer): Promise<void> {
  const pane = await openVariables(view)
  const { importing, more } = tagWords[view.lang]
  await pane.getByRole('button', { name: more, exact: true }).click()
  await view.page.getByRole('menuitem', { name: importing.action }).click()
  const file = { name: 'variables.csv', mimeType: 'text/csv', buffer }
  await view.page.locator('input[type="file"]').setInputFiles(file)
}

/** The answer of the list of variables, with other fields of each. */
async function answerTags({ page }: View, more: object): Promise<void> {
  await page.route(/\/data\/\d+\/tags(\?|$)/, async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    for (const tag of json.hwdata) Object.assign(tag, more)
    await route.fulfill({ response, json })
  })
}

const dayMs = 86_400_000
const meters = () => [
  { at: Date.now() - 200 * dayMs, from: 999_871.4, to: 0 },
  { at: Date.now() - 3 * dayMs, from: 48_213.5, to: 12.25 },
]

/** As a German Excel saves it. */
const table = [
  'group;tag;name;unit;scale;min;max;values;readAs;writable',
  'Oil;tank_temp;Öltemperatur;°C;1;0;120;;;',
  'Oil;pressure;Öldruck;bar;1;0;12,5;;;',
  'Press;running;Läuft;;;;;"0 = Halt; 1 = Betrieb";;',
  'Press;cycles;Zyklen;;;;;;int64;',
].join('\r\n')

/** The form of a variable, and the changes of a file. */
export const tagScreens: readonly Screen[] = [
  {
    name: 'variable-edit',
    signedIn: true,
    arrive: async (view) => void (await openVariable(view)),
  },
  {
    name: 'variable-meters',
    signedIn: true,
    arrive: async (view) => {
      await answerTags(view, { settings: { resets: meters() } })
      const dialog = await openVariable(view)
      const { meters: words } = tagWords[view.lang]
      await dialog.getByText(words.title, { exact: true }).click()
      await dialog.getByRole('button', { name: words.add }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'variable-type',
    signedIn: true,
    arrive: async (view) => {
      await answerTags(view, { openable: true, settings: { readAs: 'float64' } })
      const dialog = await openVariable(view)
      await dialog.getByText(tagWords[view.lang].typeHint).waitFor()
    },
  },
  {
    name: 'variables-import',
    signedIn: true,
    arrive: async (view) => {
      const { importing } = tagWords[view.lang]
      await view.page.route('**/tags/csv*', (route) =>
        route.fulfill({
          json: {
            hwcode: 0,
            hwreason: 'OK',
            hwdata: {
              applied: false,
              changes: 3,
              unchanged: 41,
              faults: 0,
              refused: [],
              changed: [
                { line: 2, tagId: 1, before: { name: 'D100' }, after: { name: '油箱温度', scale: 1 } },
                { line: 3, tagId: 2, before: {}, after: { unit: 'bar', scale: 1, min: 0, max: 12.5 } },
                {
                  line: 4,
                  tagId: 3,
                  before: { enum: { 0: '停' } },
                  after: { enum: { 0: '停止', 1: '运行' } },
                },
              ],
            },
          },
        }),
      )
      await importFile(view, Buffer.from(table, 'latin1'))
      await view.page.getByText(importing.changes('3')).waitFor()
    },
  },
  {
    name: 'variables-import-wrong',
    signedIn: true,
    arrive: async (view) => {
      await importFile(view, Buffer.from('group,tag,name\nOil,temp,"Kühl\nOil,flow,Fluss\n'))
      await view.page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'variables-import-refused',
    signedIn: true,
    arrive: async (view) => {
      // A row of more columns than a file may have: the platform names this limit.
      await importFile(view, Buffer.from(`tag,name\n${','.repeat(300)}`))
      await view.page.getByRole('alert').getByText('256').waitFor()
    },
  },
]
