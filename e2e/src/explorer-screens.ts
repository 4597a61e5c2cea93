import type { Lang } from '@busbar/contract'
import { explorerText as cn } from '../../console/src/shared/i18n/cn/explorer.ts'
import { explorerText as en } from '../../console/src/shared/i18n/en/explorer.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/** The texts of the explorer, which come with its page. */
export const explorerWords: Readonly<Record<Lang, typeof cn>> = { cn, en }

const tagsShown = 3

/** Opens the picker from the empty page, and draws the first variables of the device that it offers. */
async function drawVariables(view: View): Promise<void> {
  const { page, lang, t } = view
  const words = explorerWords[lang]
  await page.goto('/dataCenter/explorer?eid=0&last=3600000')
  await page.getByRole('button', { name: words.pick }).click()
  const picker = page.getByRole('dialog', { name: words.pick })
  for (let place = 0; place < tagsShown; place++)
    await picker
      .getByRole('checkbox')
      .nth(place + 1)
      .check()
  await picker.getByRole('button', { name: t.history.picker.show(tagsShown), exact: true }).click()
  await page.getByRole('application').waitFor()
  await page.getByRole('table', { name: words.statistics.title }).waitFor()
  await page.waitForTimeout(1_500)
}

const noteWords = {
  cn: ['换进料泵机械密封，03:10 到 03:40 的温度不可信', '换密封', '王建国'],
  en: ['Replaced the seal of the feed pump: no temperature from 03:10 to 03:40', 'New seal', 'Ben Carter'],
} as const

/** Draws variables with a note that was changed, and that the reader may hide on several devices. */
async function drawNotes(view: View): Promise<void> {
  const { page, lang, t } = view
  const [text, former, by] = noteWords[lang]
  const at = Date.now() - 1_200_000
  const ok = (hwdata: unknown) => ({ json: { hwcode: 0, hwreason: 'OK', hwdata } })
  await page.route('**/api/v1/annotations?*', (route, request) => {
    const machineIds = new URL(request.url()).searchParams.getAll('machineIds').map(Number)
    const note = { id: 1, machineIds, from: at, to: at + 600_000, text, by, at, editedAt: at + 900_000 }
    return route.fulfill(ok([{ ...note, mayEdit: true, mayHide: machineIds }]))
  })
  await page.route('**/api/v1/annotations/1/versions*', (route) =>
    route.fulfill(ok([{ text: former, until: at + 900_000 }])),
  )
  await drawVariables(view)
  await page.getByRole('button', { name: t.history.notes.edited('') }).scrollIntoViewIfNeeded()
}

export const explorerScreens: readonly Screen[] = [
  {
    name: 'explorer-empty',
    signedIn: true,
    arrive: async ({ page, lang }) => {
      await page.goto('/dataCenter/explorer?eid=0')
      await page.getByText(explorerWords[lang].empty).waitFor()
    },
  },
  {
    name: 'explorer-picker',
    signedIn: true,
    arrive: async ({ page, lang }) => {
      await page.goto('/dataCenter/explorer?eid=0')
      await page.getByRole('button', { name: explorerWords[lang].pick }).click()
      await page
        .getByRole('dialog', { name: explorerWords[lang].pick })
        .getByRole('checkbox')
        .nth(1)
        .waitFor()
    },
  },
  { name: 'explorer', signedIn: true, arrive: drawVariables },
  { name: 'explorer-notes', signedIn: true, arrive: drawNotes },
  {
    name: 'explorer-note-versions',
    signedIn: true,
    arrive: async (view) => {
      await drawNotes(view)
      await view.page.getByRole('button', { name: view.t.history.notes.edited('') }).click()
      await view.page.getByText(noteWords[view.lang][1]).waitFor()
    },
  },
  {
    name: 'explorer-xy',
    signedIn: true,
    arrive: async (view) => {
      await drawVariables(view)
      const { form, xy } = explorerWords[view.lang]
      await view.page.getByRole('radio', { name: form.xy }).click()
      await view.page.getByLabel(xy.x).first().waitFor()
    },
  },
]
