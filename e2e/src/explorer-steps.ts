import type { Locator } from 'playwright-core'
import { explorerWords } from './explorer-screens.ts'
import type { View } from './view.ts'

/* A person's steps in the explorer. */

/** Opens the picker, and checks a variable of each of several devices; answers the button that shows them. */
export async function checkVariables({ page, lang, t }: View, devices: readonly string[], tag: string) {
  const words = t.history.picker
  await page.getByRole('button', { name: explorerWords[lang].pick }).click()
  const picker = page.getByRole('dialog', { name: words.title })
  for (const device of devices) {
    await picker.getByRole('button', { name: words.device }).click()
    await page.getByRole('option', { name: device }).click()
    await picker.getByRole('checkbox', { name: t.table.select(tag) }).check()
  }
  for (const device of devices)
    await picker.getByRole('button', { name: words.remove(`${device} · ${tag}`) }).waitFor()
  return picker.getByRole('button', { name: words.show(devices.length), exact: true })
}

/** Compares with the week before; answers its curves in the legend. */
export async function compareWithWeekBefore({ page, lang, t }: View): Promise<Locator> {
  const { compare } = explorerWords[lang]
  await page.getByRole('button', { name: compare.label }).click()
  await page.getByRole('option', { name: compare.week }).click()
  return page.locator('[data-legend]').filter({ hasText: compare.suffix(t.history.duration.d('7')) })
}

/** Writes a note on what is seen, and waits for it in the list. */
export async function writeNote({ page, t }: View, text: string): Promise<void> {
  const words = t.history.notes
  await page.getByRole('button', { name: words.add }).click()
  const dialog = page.getByRole('dialog', { name: words.add })
  await dialog.getByRole('textbox', { name: words.text }).fill(text)
  await dialog.getByRole('button', { name: words.save, exact: true }).click()
  await page.getByRole('region', { name: words.title }).getByText(text).waitFor()
}
