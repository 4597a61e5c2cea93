import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openMachine, showVariables, variableRow } from './devices.ts'
import type { Screen } from './screen.ts'
import { checkout } from './site.ts'
import { tagWords } from './tag-words.ts'
import type { Lang } from './texts.ts'
import type { View } from './view.ts'

interface DemoMachine {
  readonly trade: string
  readonly name: Record<Lang, string>
  readonly tags?: readonly { readonly name: string; readonly label: Record<Lang, string> }[]
}
const demoMachines: readonly DemoMachine[] = JSON.parse(
  await readFile(join(checkout, 'simulator', 'demo-machines.json'), 'utf8'),
)

/** Opens the variables of a device of the demo. */
async function openVariables(view: View, trade = 'booster-pumps') {
  const machine = demoMachines.find((one) => one.trade === trade)
  if (!machine) throw new Error(`the demo has no ${trade}`)
  const name = machine.name[view.lang]
  await view.page.goto(`/index/?q=${encodeURIComponent(name)}`)
  const pane = await openMachine(view, name)
  await showVariables(view, pane)
  await pane.getByRole('row').nth(3).waitFor()
  const labelOf = (tag: string) => machine.tags?.find(({ name }) => name === tag)?.label[view.lang] ?? tag
  return { pane, labelOf }
}

async function openVariable(view: View, trade: string, tag: string) {
  const { pane, labelOf } = await openVariables(view, trade)
  const edit = variableRow(pane, labelOf(tag)).getByRole('button', { name: /^(Edit|编辑) / })
  await edit.first().click()
  const dialog = view.page.getByRole('dialog', { name: tagWords[view.lang].title })
  await dialog.waitFor()
  return dialog
}

/** Opens the import, and chooses a file. */
async function importFile(view: View, buffer: Buffer): Promise<void> {
  const { pane } = await openVariables(view)
  const { importing, more } = tagWords[view.lang]
  await pane.getByRole('button', { name: more, exact: true }).click()
  await view.page.getByRole('menuitem', { name: importing.action }).click()
  const file = { name: 'variables.csv', mimeType: 'text/csv', buffer }
  await view.page.locator('input[type="file"]').setInputFiles(file)
}

/** As a German Excel saves it. */
const table = [
  'group;tag;name;unit;scale;min;max;values;readAs;writable',
  ';outlet_pressure;Ausgangsdruck;MPa;2;0;0,5;;;',
  ';tank_level;Füllstand;m;1;0;3,5;;;',
  ';pumps_on;Laufende Pumpen;;;;;"0 = Halt; 1 = Betrieb";int64;',
].join('\r\n')

/** The form of a variable, and the changes of a file. */
export const tagScreens: readonly Screen[] = [
  {
    name: 'variable-edit',
    signedIn: true,
    arrive: async (view) => void (await openVariable(view, 'booster-pumps', 'outlet_pressure')),
  },
  {
    name: 'variable-meters',
    signedIn: true,
    arrive: async (view) => {
      const dialog = await openVariable(view, 'water-treatment', 'treated_volume')
      const { meters: words } = tagWords[view.lang]
      await dialog.getByText(words.title, { exact: true }).click()
      await dialog.getByRole('button', { name: words.add }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'variable-type',
    signedIn: true,
    arrive: async (view) => {
      const dialog = await openVariable(view, 'booster-pumps', 'pumps_on')
      await dialog.getByText(tagWords[view.lang].typeHint).waitFor()
    },
  },
  {
    name: 'variables-import',
    signedIn: true,
    arrive: async (view) => {
      const { importing } = tagWords[view.lang]
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
