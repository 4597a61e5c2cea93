import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/* The rules of the demo's devices, as their owner sees them, and those of one device with each dialog. */

function screen(name: string, then?: (view: View) => Promise<void>): Screen {
  return {
    name: `alarm-rules${name}`,
    signedIn: true,
    async arrive(view) {
      const { page, t } = view
      await page.goto('/alarmCenter/rules?eid=0')
      await page.getByRole('button', { name: t.alarmRules.add }).first().waitFor()
      await then?.(view)
    },
  }
}

/** Narrows the rules to those of the first device. */
async function chooseDevice({ page, t }: View): Promise<void> {
  const { pick } = t.alarmRules
  await page.getByRole('button', { name: new RegExp(`^${pick.device} `) }).click()
  await page.getByRole('option').nth(1).click()
  await page.waitForURL(/machine=/)
}

/** Opens a dialog from the menu of a device's list. */
const fromMenu = (title: (view: View) => string) => async (view: View) => {
  const { page, t } = view
  await chooseDevice(view)
  await page.getByRole('button', { name: t.alarmRules.more, exact: true }).click()
  await page.getByRole('menuitem', { name: title(view) }).click()
  await page.getByRole('dialog').waitFor()
}

async function importFile(view: View, text: string): Promise<void> {
  await fromMenu(({ t }) => t.alarmRules.importing.title)(view)
  const file = { name: 'rules.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await view.page.locator('input[type="file"]').setInputFiles(file)
}

const openEditor = async (view: View) => {
  const { page, t } = view
  await chooseDevice(view)
  await page.getByRole('button', { name: t.alarmRules.add }).first().click()
  await page.getByRole('dialog', { name: t.alarmRules.editor.add }).waitFor()
}

/** The list of rules, its editor with errors and with a trial, templates and import. */
export const alarmRuleScreens: readonly Screen[] = [
  screen(''),
  screen('-new', async ({ page, t }) => {
    await page.getByRole('button', { name: t.alarmRules.add }).first().click()
    await page.getByRole('dialog', { name: t.alarmRules.editor.add }).waitFor()
  }),
  screen('-of-device', chooseDevice),
  screen('-add', openEditor),
  screen('-errors', async (view) => {
    await openEditor(view)
    const { editor } = view.t.alarmRules
    const dialog = view.page.getByRole('dialog', { name: editor.add })
    await dialog.getByRole('button', { name: editor.save }).click()
    await dialog.getByText(editor.required).first().waitFor()
  }),
  screen('-tried', async (view) => {
    await openEditor(view)
    const { page, t } = view
    const { editor, trial } = t.alarmRules
    const dialog = page.getByRole('dialog', { name: editor.add })
    await dialog.getByRole('button', { name: new RegExp(`^${editor.tag} `) }).click()
    const picker = page.getByRole('dialog', { name: t.history.picker.one })
    await picker.getByRole('radio').first().click()
    await picker.getByRole('button', { name: t.history.picker.select(1), exact: true }).click()
    await dialog.getByRole('spinbutton', { name: editor.limit }).fill('1')
    await dialog.getByRole('button', { name: trial.start }).click()
    await dialog.getByRole('button', { name: trial.again }).waitFor()
  }),
  screen(
    '-templates',
    fromMenu(({ t }) => t.alarmRules.templates.title),
  ),
  screen(
    '-import',
    fromMenu(({ t }) => t.alarmRules.importing.title),
  ),
  screen('-import-file', async (view) => {
    await importFile(view, 'tag;kind;op;limit;level;en\noil_temp;threshold;>;82,5;major;Oil too hot\n')
    await view.page.getByRole('cell', { name: 'Oil too hot' }).waitFor()
  }),
  screen('-import-refused', async (view) => {
    const { importing } = view.t.alarmRules
    // None of these lines can be a rule, so that every run finds the same rules.
    await importFile(
      view,
      'tag,kind,op,limit,level,en\nnothing,threshold,>,1,major,\nnothing,threshold,>,x,major,Hot\n',
    )
    await view.page.getByRole('button', { name: importing.start, exact: true }).click()
    await view.page.getByRole('button', { name: importing.save }).waitFor()
  }),
]
