import type { Lang } from '@busbar/contract'
import { sitesText as cn } from '../../console/src/shared/i18n/cn/sites.ts'
import { sitesText as en } from '../../console/src/shared/i18n/en/sites.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/** The texts of the sites, which come with their page. */
const words: Readonly<Record<Lang, typeof cn>> = { cn, en }
const hall = { cn: '北滘注塑车间', en: 'Beijiao moulding hall' } as const
const press = { cn: '注塑机', en: 'Injection press' } as const
const floor = { cn: '一层', en: 'Ground floor' } as const

/** The name of the press's mark; its row beside the plan has no comma. */
const markOf = (lang: Lang) => new RegExp(`^${press[lang]}.*, `)

/** Opens the demo's site from the list. */
async function openSite({ page, lang }: View): Promise<void> {
  await page.goto('/dataCenter/sites?eid=0')
  await page.getByText(hall[lang]).first().click()
  await page.getByRole('group', { name: words[lang].view.label(floor[lang]) }).waitFor()
  await page.getByRole('button', { name: markOf(lang) }).waitFor()
}

export const siteScreens: readonly Screen[] = [
  {
    name: 'sites',
    signedIn: true,
    arrive: async ({ page, lang }) => {
      await page.goto('/dataCenter/sites?eid=0')
      await page.getByText(hall[lang]).first().waitFor()
    },
  },
  {
    name: 'site',
    signedIn: true,
    arrive: async (view) => {
      await openSite(view)
      await view.page.getByRole('button', { name: markOf(view.lang) }).click()
      await view.page.getByRole('region', { name: words[view.lang].view.card }).waitFor()
    },
  },
  {
    name: 'site-edit',
    signedIn: true,
    arrive: async (view) => {
      await openSite(view)
      const t = words[view.lang]
      await view.page.getByRole('button', { name: t.site.edit, exact: true }).click()
      await view.page.getByRole('region', { name: t.edit.unplaced }).waitFor()
    },
  },
]
