import type { Lang } from '@busbar/contract'
import { operatorSimsText as operatorCn } from '../../console/src/shared/i18n/cn/operator-sims.ts'
import { simsText as cn } from '../../console/src/shared/i18n/cn/sims.ts'
import { operatorSimsText as operatorEn } from '../../console/src/shared/i18n/en/operator-sims.ts'
import { simsText as en } from '../../console/src/shared/i18n/en/sims.ts'
import { opened } from './console-screens.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/** The texts of the cards, which come with them. */
const words: Readonly<Record<Lang, typeof cn>> = { cn, en }
const operatorWords: Readonly<Record<Lang, typeof operatorCn>> = { cn: operatorCn, en: operatorEn }

async function openList({ page, lang }: View, search = ''): Promise<void> {
  await page.goto(`/dataCenter/sims?eid=0${search}`)
  await page.getByText(words[lang].states.working).first().waitFor()
}

const dialogIn = (name: string, part: string, button: (t: typeof operatorCn) => string): Screen => ({
  name: `back-office-${name}`,
  signedIn: 'operator',
  async arrive({ page, lang }) {
    await page.goto(`/backManage?part=${part}`)
    await page
      .getByRole('button', { name: button(operatorWords[lang]) })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
  },
})

/** SIM cards: their list, one of them, that of a device, and the dialogs of the back office. */
export const simScreens: readonly Screen[] = [
  { name: 'sims', signedIn: true, arrive: (view) => openList(view) },
  {
    name: 'sims-card',
    signedIn: true,
    async arrive(view) {
      await openList(view, '&state=suspended')
      const { name, means } = words[view.lang].reasons.overQuota
      await view.page.getByText(name).first().click()
      await view.page.getByText(means).waitFor()
    },
  },
  {
    name: 'detail-sim',
    signedIn: true,
    async arrive({ page, lang }) {
      await page.goto(`/index/?machine=${opened.machineIds[lang]}&tab=sim`)
      await page.getByText(words[lang].meanings.working.means).waitFor()
    },
  },
  dialogIn('sim-import', 'sims', (t) => t.importing.add),
  {
    name: 'back-office-sim-refused',
    signedIn: 'operator',
    async arrive({ page, lang }) {
      const t = operatorWords[lang].importing
      await page.goto('/backManage?part=sims')
      await page.getByRole('button', { name: t.add }).first().click()
      // None of these lines makes a card, so that every run finds the register unchanged.
      const lines = ['8.98601E+18,,Basic,', '8986010000000000999,1,Basic,', '8986010000000000998,,None,soon']
      await page.getByLabel(t.paste).fill(lines.join('\n'))
      await page.getByRole('button', { name: t.start, exact: true }).click()
      await page.getByText(t.refused('3')).first().waitFor()
    },
  },
  dialogIn('sim-edit', 'sims', (t) => t.cards.edit),
  dialogIn('sim-plan', 'simPlans', (t) => t.plans.add),
]
