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

const deletedNames = {
  cn: ['夜班能耗', '二号车间冷却水循环与能耗对比看板（夜班与周末，含备用机组）'],
  en: ['Night shift', 'Cooling water and energy of hall two, nights and weekends, with stand-by units'],
} as const

/** Opens the list of deleted boards, which are made up. */
async function openDeleted({ page, lang, t }: View): Promise<void> {
  const deleted = deletedNames[lang].map((name, place) => ({
    ...{ id: 900 + place, name, eid: null, tiles: 3, machineType: null, version: 1, mayEdit: true },
    ...{ mayShare: true, sharedBy: null },
    ...{ updatedAt: Date.now(), updatedBy: '', deletedAt: Date.now() - (place + 1) * 7_200_000 },
  }))
  await page.route(
    (url) => url.pathname === '/api/v1/boards' && url.searchParams.get('deleted') === 'true',
    (route) => route.fulfill({ json: { hwcode: 0, hwreason: 'OK', hwdata: deleted } }),
  )
  await page.goto('/dataCenter?eid=0')
  await page.getByRole('button', { name: t.table.actions, exact: true }).first().click()
  await page.getByRole('menuitem', { name: boardWords[lang].list.deleted }).click()
  await page.getByText(deletedNames[lang][1]).waitFor()
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
  { name: 'boards-deleted', signedIn: true, arrive: openDeleted },
  {
    name: 'boards-remove',
    signedIn: true,
    arrive: async (view) => {
      const { removeForGood, removeForGoodHint } = boardWords[view.lang].list
      await openDeleted(view)
      await view.page.getByRole('button', { name: removeForGood }).last().click()
      await view.page.getByText(removeForGoodHint).waitFor()
    },
  },
]
