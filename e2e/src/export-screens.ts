import type { Lang } from '@busbar/contract'
import { exportsText as cn } from '../../console/src/shared/i18n/cn/exports.ts'
import { exportsText as en } from '../../console/src/shared/i18n/en/exports.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/** The texts of the exports, which come with their page. */
export const exportWords: Readonly<Record<Lang, typeof cn>> = { cn, en }

/** Opens the list and fills the form, up to its preview. */
async function fillForm({ page, lang, t }: View) {
  const words = exportWords[lang]
  await page.goto('/dataCenter/exports?eid=0')
  await page.getByRole('button', { name: words.add }).first().click()
  const dialog = page.getByRole('dialog', { name: words.add })
  await dialog.getByRole('button', { name: t.history.picker.title }).click()
  const picker = page.getByRole('dialog', { name: t.history.picker.title })
  for (const place of [1, 2]) await picker.getByRole('checkbox').nth(place).check()
  await picker.getByRole('button', { name: t.history.picker.select(2), exact: true }).click()
  await dialog.locator('section[aria-busy="false"]').waitFor()
  return dialog
}

export const exportScreens: readonly Screen[] = [
  {
    name: 'exports',
    signedIn: true,
    arrive: async ({ page, lang }) => {
      await page.goto('/dataCenter/exports?eid=0')
      await page.getByRole('button', { name: exportWords[lang].add }).first().waitFor()
    },
  },
  { name: 'export-new', signedIn: true, arrive: async (view) => void (await fillForm(view)) },
  {
    name: 'exports-ready',
    signedIn: true,
    arrive: async (view) => {
      const { form, states } = exportWords[view.lang]
      const dialog = await fillForm(view)
      await dialog.getByRole('button', { name: form.submit(2), exact: true }).click()
      await view.page.getByText(states.ready).first().waitFor()
    },
  },
]
