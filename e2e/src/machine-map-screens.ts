import { accounts } from '@busbar/contract'
import { mapText as cn } from '../../console/src/shared/i18n/cn/map.ts'
import { mapText as en } from '../../console/src/shared/i18n/en/map.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/* The device list as a map. */

const texts = { cn, en } as const

/** Opens the map by its address in the menu, and waits until it is drawn. */
async function arriveAtMap({ page, lang }: View): Promise<void> {
  await page.goto('/cloudmap')
  await page.getByRole('region', { name: texts[lang].label, exact: true }).waitFor()
  await page.waitForURL(/[?&]at=/)
}

/** Hides from the page that the browser draws in three dimensions. In the page's words, whose types a test lacks. */
const withoutWebGl = `{
  const { getContext } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest)
  }
}`

export const machineMapScreens: readonly Screen[] = [
  { name: 'map', signedIn: true, arrive: arriveAtMap },
  {
    name: 'map-card',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtMap(view)
      const t = texts[view.lang]
      await view.page.getByRole('list', { name: t.list.label }).getByRole('button').first().click()
      await view.page.getByRole('button', { name: t.card.details }).waitFor()
    },
  },
  {
    name: 'map-hidden',
    signedIn: true,
    arrive: async ({ page, lang }) => {
      await page.route(`**${accounts.selectInfo.path}`, async (route) => {
        const response = await route.fetch()
        const answer = await response.json()
        for (const person of [answer.hwdata, answer.result]) person.hide_map = true
        await route.fulfill({ response, json: answer })
      })
      await page.goto('/cloudmap')
      await page.getByText(texts[lang].hidden.title).waitFor()
    },
  },
  {
    name: 'map-regions',
    signedIn: true,
    arrive: async ({ page, lang }) => {
      await page.addInitScript({ content: withoutWebGl })
      await page.goto('/cloudmap')
      await page.getByText(texts[lang].regions.noWebGl).waitFor()
      await page.locator('summary').first().click()
    },
  },
]
