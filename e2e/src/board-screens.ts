import type { Lang } from '@busbar/contract'
import { boardsText as cn } from '../../console/src/shared/i18n/cn/boards.ts'
import { boardsText as en } from '../../console/src/shared/i18n/en/boards.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/** The texts of the boards, which come with their page. */
export const boardWords: Readonly<Record<Lang, typeof cn>> = { cn, en }

/** Opens the demo's board from the list. */
async function openDemoBoard(view: View): Promise<void> {
  const { page, lang } = view
  const name = { cn: '注塑与供水', en: 'Moulding and water' }[lang]
  await page.goto('/dataCenter?eid=0')
  await page.getByText(name).first().click()
  await page.getByRole('region', { name: boardWords[lang].view.grid }).waitFor()
  await page.getByRole('application').first().waitFor()
  // Waits for its values.
  await page.locator('[data-kind="value"] p').first().waitFor()
  await page.waitForTimeout(1_500)
}

export const boardScreens: readonly Screen[] = [
  {
    name: 'boards',
    signedIn: true,
    arrive: async ({ page, lang }) => {
      await page.goto('/dataCenter?eid=0')
      await page.getByText({ cn: '注塑与供水', en: 'Moulding and water' }[lang]).first().waitFor()
    },
  },
  { name: 'board', signedIn: true, arrive: openDemoBoard },
]
