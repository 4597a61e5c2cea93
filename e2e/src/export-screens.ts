import type { Lang } from '@busbar/contract'
import { exportsText as cn } from '../../console/src/shared/i18n/cn/exports.ts'
import { exportsText as en } from '../../console/src/shared/i18n/en/exports.ts'
import type { Screen } from './screen.ts'

/** The texts of the exports, which come with their page. */
export const exportWords: Readonly<Record<Lang, typeof cn>> = { cn, en }

export const exportScreens: readonly Screen[] = [
  {
    name: 'exports',
    signedIn: true,
    arrive: async ({ page, lang }) => {
      await page.goto('/dataCenter/exports?eid=0')
      await page.getByText(exportWords[lang].empty).waitFor()
    },
  },
  {
    name: 'export-new',
    signedIn: true,
    arrive: async ({ page, lang }) => {
      const words = exportWords[lang]
      await page.goto('/dataCenter/exports?eid=0')
      await page.getByRole('button', { name: words.add }).first().click()
      const dialog = page.getByRole('dialog', { name: words.add })
      await dialog.getByRole('button', { name: words.form.variables }).click()
      const options = page.getByRole('option')
      await options.nth(0).click()
      await options.nth(1).click()
      await page.keyboard.press('Escape')
      await dialog.getByRole('table').waitFor()
    },
  },
]
