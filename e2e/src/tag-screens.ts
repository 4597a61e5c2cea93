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

/** The form of a variable, and the changes of a file. */
export const tagScreens: readonly Screen[] = [
  {
    name: 'variable-edit',
    signedIn: true,
    arrive: async (view) => {
      const pane = await openVariables(view)
      const words = tagWords[view.lang]
      await pane
        .getByRole('button', { name: /^(Edit|编辑) / })
        .nth(1)
        .click()
      await view.page.getByRole('dialog', { name: words.title }).waitFor()
    },
  },
  {
    name: 'variables-import',
    signedIn: true,
    arrive: async (view) => {
      const pane = await openVariables(view)
      const { importing, more } = tagWords[view.lang]
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
      await pane.getByRole('button', { name: more, exact: true }).click()
      await view.page.getByRole('menuitem', { name: importing.action }).click()
      const file = { name: 'variables.csv', mimeType: 'text/csv', buffer: Buffer.from('tag,name') }
      await view.page.locator('input[type="file"]').setInputFiles(file)
      await view.page.getByText(importing.changes('3')).waitFor()
    },
  },
  {
    name: 'variables-import-refused',
    signedIn: true,
    arrive: async (view) => {
      const pane = await openVariables(view)
      const { importing, more } = tagWords[view.lang]
      await pane.getByRole('button', { name: more, exact: true }).click()
      await view.page.getByRole('menuitem', { name: importing.action }).click()
      // A row of more columns than a file may have: the platform names this limit.
      const buffer = Buffer.from(`tag,name\n${','.repeat(300)}`)
      await view.page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'variables.csv', mimeType: 'text/csv', buffer })
      await view.page.getByRole('alert').getByText('256').waitFor()
    },
  },
]
