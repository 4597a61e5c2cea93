import type { Locator, Page } from 'playwright-core'
import type { Lang } from './texts.ts'
import type { View } from './view.ts'

/* The agent's own page as a visitor sees it, by its words. */

const words = {
  cn: {
    watching: '仅查看',
    ask: '请求控制权',
    asked: '已请求控制权',
    inControl: '您正在控制',
    ended: '访问已结束',
    tabs: { values: '变量', setpoints: '设定' },
    clear: '清除',
    point: '小数点',
    set: '设定',
    kept: (value: string) => `已写入 ${value}`,
  },
  en: {
    watching: 'View only',
    ask: 'Request control',
    asked: 'Control requested',
    inControl: 'You are in control',
    ended: 'The visit has ended',
    tabs: { values: 'Variables', setpoints: 'Set-points' },
    clear: 'Clear',
    point: 'Decimal point',
    set: 'Set',
    kept: (value: string) => `Device accepted ${value}`,
  },
} satisfies Record<Lang, object>

export interface MachinePage {
  readonly page: Page
  /** Shows that set-points are locked. */
  readonly watchingOnly: Locator
  /** The machine's name. */
  readonly heading: Locator
  /** The line that says who is in control, and how long the visit lasts. */
  readonly visit: Locator
  /** Requests control, until the page shows the request. */
  askForControl(): Promise<void>
  /** Shows that the visitor is in control. */
  readonly inControl: Locator
  /** The line with the worst alarm. */
  readonly strip: Locator
  /** The heading of a page whose visit is over. */
  readonly ended: Locator
  tile(name: string): Locator
  setPoint(name: string): Locator
  /** A phone shows one part at a time. */
  show(part: 'values' | 'setpoints'): Promise<void>
  /** Types a number on the page's own keys and sets it, until the page shows that the machine accepted it. */
  set(name: string, digits: string, kept: string): Promise<void>
}

/** The agent's page in an open tab. */
export function machinePage({ lang, size }: Pick<View, 'lang' | 'size'>, page: Page): MachinePage {
  const t = words[lang]
  const setPoint = (name: string) => page.locator('.setpoint').filter({ hasText: name })
  return {
    page,
    watchingOnly: page.locator('#mode').filter({ hasText: t.watching }),
    heading: page.getByRole('heading', { level: 1 }),
    visit: page.locator('#visit'),
    inControl: page.locator('#visit').getByText(t.inControl),
    async askForControl() {
      await page.locator('#visit').getByRole('button', { name: t.ask, exact: true }).click()
      await page.locator('#visit').getByText(t.asked).waitFor()
    },
    strip: page.locator('#strip'),
    ended: page.getByRole('heading', { name: t.ended }),
    tile: (name) => page.locator('.tile').filter({ hasText: name }),
    setPoint,
    async show(part) {
      if (size === 'narrow') await page.locator('#tabs').getByRole('button', { name: t.tabs[part] }).click()
    },
    async set(name, digits, kept) {
      await setPoint(name).locator('.setpoint-value').click()
      const sheet = page.getByRole('dialog', { name })
      await sheet.getByRole('button', { name: t.clear, exact: true }).click()
      for (const key of digits) {
        const label = key === '.' ? t.point : key
        await sheet.getByRole('button', { name: label, exact: true }).click()
      }
      await sheet.getByRole('button', { name: t.set, exact: true }).click()
      await setPoint(name).getByText(t.kept(kept)).waitFor()
    },
  }
}
