import { retention } from '@busbar/contract'
import { retention as cn } from '../../console/src/shared/i18n/cn/retention.ts'
import { retention as en } from '../../console/src/shared/i18n/en/retention.ts'
import type { Screen } from './screen.ts'
import { clientOf, type View } from './view.ts'

/* The page that sets how long values are kept: as it is set, and as people change it. */

export const retentionTexts = { cn, en } as const

const usual = { rawDays: 90, minuteDays: 365, hourDays: 1_825 }
const shorter = { rawDays: 30, minuteDays: 180 }

function screen(name: string, days: object, then?: (view: View) => Promise<void>): Screen {
  return {
    name: `retention${name}`,
    signedIn: true,
    async arrive(view) {
      await (await clientOf(view)).call(retention.setRetention, { ...days, confirm: true })
      await view.page.goto('/dataCenter/retention?eid=0')
      await view.page.getByRole('form', { name: retentionTexts[view.lang].title }).waitFor()
      await then?.(view)
    },
  }
}

const field = ({ page, lang }: View, kind: keyof typeof usual) =>
  page.getByRole('spinbutton', { name: retentionTexts[lang].kinds[kind].name })

/** Retention: as it is, a pending shortening, wrong input, and the confirmation before values are deleted. */
export const retentionScreens: readonly Screen[] = [
  screen('', usual),
  screen('-next', shorter),
  screen('-wrong', usual, async (view) => {
    const { page, lang } = view
    await field(view, 'rawDays').fill('3')
    await field(view, 'minuteDays').fill('2000')
    await field(view, 'hourDays').fill('3000')
    await page.getByRole('button', { name: retentionTexts[lang].save }).click()
    await page.getByRole('alert').first().waitFor()
  }),
  screen('-confirm', usual, async (view) => {
    const { page, lang } = view
    await field(view, 'rawDays').fill(String(shorter.rawDays))
    await field(view, 'minuteDays').fill(String(shorter.minuteDays))
    await page.getByRole('button', { name: retentionTexts[lang].save }).click()
    await page.getByRole('dialog', { name: retentionTexts[lang].confirm.title }).waitFor()
  }),
]
