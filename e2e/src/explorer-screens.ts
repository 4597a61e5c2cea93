import { annotations, type Lang, machines, viewLimits } from '@busbar/contract'
import { explorerText as cn } from '../../console/src/shared/i18n/cn/explorer.ts'
import { explorerText as en } from '../../console/src/shared/i18n/en/explorer.ts'
import type { Screen } from './screen.ts'
import { clientOf, type View } from './view.ts'

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
  cn: ['换进料泵机械密封，03:10 到 03:40 的温度不可信', '换密封'],
  en: ['Replaced the seal of the feed pump: no temperature from 03:10 to 03:40', 'New seal'],
} as const

/** Draws variables with a note on the demo's devices, whose words were changed. */
async function drawNotes(view: View): Promise<void> {
  const { page, lang, t } = view
  const [text, former] = noteWords[lang]
  const client = await clientOf(view)
  const answer = await client.call(machines.listMachines, {})
  const listed = 'list' in answer ? answer.list : []
  const machineIds = listed.slice(0, viewLimits.machinesPerAnnotation).map(({ machine_id }) => machine_id)
  const now = Date.now()
  const notes = await client.call(annotations.listAnnotations, { machineIds, from: now - 3_600_000, to: now })
  if (!notes.some((note) => note.text === text)) {
    const span = { from: now - 1_200_000, to: now - 600_000 }
    const { id } = await client.call(annotations.createAnnotation, { machineIds, ...span, text: former })
    await client.call(annotations.updateAnnotation, { id, text })
  }
  await drawVariables(view)
  await page
    .getByRole('button', { name: t.history.notes.edited('') })
    .first()
    .scrollIntoViewIfNeeded()
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
      await view.page
        .getByRole('button', { name: view.t.history.notes.edited('') })
        .first()
        .click()
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
