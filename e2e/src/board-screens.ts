import { boards, type Lang } from '@busbar/contract'
import { boardsText as cn } from '../../console/src/shared/i18n/cn/boards.ts'
import { boardsText as en } from '../../console/src/shared/i18n/en/boards.ts'
import type { Screen } from './screen.ts'
import { clientOf, type View } from './view.ts'

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
  cn: ['夜班能耗', '二号车间冷却水循环与能耗对比看板（夜班与周末）'],
  en: ['Night shift', 'Cooling water at night, hall 2'],
} as const

/** Deletes copies of the demo's board, and opens the list of deleted boards. */
async function openDeleted(view: View): Promise<void> {
  const { page, lang, t } = view
  const client = await clientOf(view)
  const there = await client.call(boards.listBoards, { deleted: true })
  const [first] = await client.call(boards.listBoards, {})
  if (!first) throw new Error('the demo has no board')
  const { layout } = await client.call(boards.getBoard, { id: first.id })
  for (const name of deletedNames[lang]) {
    if (there.some((one) => one.name === name)) continue
    const { id } = await client.call(boards.createBoard, { name, layout })
    await client.call(boards.deleteBoard, { id })
  }
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
