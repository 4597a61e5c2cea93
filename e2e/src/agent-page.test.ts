import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@busbar/agent/clock.ts'
import { startPage } from '@busbar/agent/page/page.ts'
import { buildTag } from '@busbar/agent/testing/builders.ts'
import { createMemoryMachine, type MemoryMachine } from '@busbar/agent/testing/memory-machine.ts'
import type { Visitor } from '@busbar/agent/tunnel/page-handler.ts'
import { untilStill } from '@busbar/testkit/still.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { shareSite } from './shared-site.ts'
import type { Lang } from './texts.ts'
import type { Theme } from './view.ts'

/* The agent's own page as a person at the machine or in a visit sees it, on the screens it is made for. */

const sizes = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  panel: { width: 800, height: 480 },
  widePanel: { width: 1024, height: 600 },
} as const

const temperature = 0
const pressure = 1
const target = 2
const pump = 3
const order = 4
const hot = 5

const longName = 'Temperature of the nozzle, measured at the far end behind the second heating band'

const tags = [
  buildTag({
    group: 'Barrel',
    name: 't1',
    displayName: { cn: '一区温度', en: 'Zone 1' },
    unit: '°C',
    scale: 1,
    min: 0,
    max: 300,
    keyTag: true,
  }),
  buildTag({ group: 'Barrel', name: 'p', displayName: { cn: '压力', en: longName }, unit: 'bar', scale: 2 }),
  buildTag({
    group: 'Barrel',
    name: 'set',
    displayName: { cn: '设定温度', en: 'Target' },
    unit: '°C',
    scale: 1,
    min: 0,
    max: 300,
    readOnly: false,
  }),
  buildTag({
    group: 'Barrel',
    name: 'pump',
    type: 'bool',
    displayName: { cn: '油泵', en: 'Pump' },
    readOnly: false,
  }),
  buildTag({
    group: 'Barrel',
    name: 'order',
    type: 'string',
    displayName: { cn: '订单', en: 'Order' },
    readOnly: false,
  }),
  buildTag({ name: 'hot', type: 'bool' }),
]
const alarm = {
  tag: hot,
  id: 'E2107',
  level: 'critical',
  text: { cn: '油温过高', en: 'Oil too hot' },
  raised: true,
} as const

const { browser } = await shareSite()
let machine: MemoryMachine
let page: ReturnType<typeof startPage>
let server: Server
let url: string
/** The visitor that the platform names; null for a person at the machine. */
let visitor: Visitor | null
/** The platform answers that the visit is over. */
let isOver: boolean
let requests = 0

function startOn(made: MemoryMachine, port: number): Promise<void> {
  page = startPage({
    machine: made,
    model: 'HX-200',
    connections: () => [{ name: 'press', firstTag: 0, tagCount: made.tags.length }],
    localWrite: true,
    clock: systemClock,
    log: () => undefined,
  })
  server = createServer((request, response) => {
    requests++
    if (isOver) {
      response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Over</h1>')
      return
    }
    const { method = 'GET', url: path = '/', headers } = request
    page.handler(
      { method, path, headers, body: request, visitor },
      {
        begin(status, answerHeaders) {
          response.writeHead(status, answerHeaders)
          response.flushHeaders()
          return response
        },
      },
    )
  })
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => {
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      resolve()
    })
  })
}

async function stopPage(): Promise<void> {
  page.close()
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

beforeEach(async () => {
  visitor = null
  isOver = false
  requests = 0
  machine = createMemoryMachine(tags, [{ ...alarm, since: Date.now() - 754_000 }])
  const values = [218.4, null, 220, true, 'AB-2026-0419', true]
  for (const [tag, value] of values.entries()) machine.set(tag, value)
  await startOn(machine, 0)
})

afterEach(stopPage)

interface Look {
  lang?: Lang
  theme?: Theme
  size?: keyof typeof sizes
}

async function withPage(look: Look, hash: string, work: (open: Page) => Promise<void>): Promise<void> {
  const { lang = 'en', theme = 'light', size = 'panel' } = look
  const options: BrowserContextOptions = {
    viewport: sizes[size],
    locale: lang === 'cn' ? 'zh-CN' : 'en-GB',
    colorScheme: theme,
    hasTouch: size !== 'desktop',
  }
  const context = await browser.newContext(options)
  context.setDefaultTimeout(10_000)
  const open = await context.newPage()
  const complaints: string[] = []
  open.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
  // Some of these tests refuse the connection on purpose.
  open.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load'))
      complaints.push(message.text())
  })
  try {
    await open.goto(`${url}/${hash}`)
    await open
      .getByText(lang === 'cn' ? '油温过高' : 'Oil too hot')
      .first()
      .waitFor()
    await work(open)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}

/**
 * Elements too small for a finger, and elements that stick out at the side. A script, because this project
 * does not know the browser's types.
 */
function misfits(open: Page): Promise<string[]> {
  return open.evaluate(`(() => {
    const small = [...document.querySelectorAll('button, select, input')].filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 0 && (height < 44 || width < 44) && !element.closest('.sheet-field')
    })
    const wide = [...document.querySelectorAll('#app *')].filter(
      (element) => element.getBoundingClientRect().right > window.innerWidth + 1,
    )
    return [...small, ...wide].map((element) => element.outerHTML.slice(0, 120))
  })()`)
}

const looks: Look[] = [
  { size: 'phone', lang: 'cn', theme: 'dark' },
  { size: 'panel', lang: 'en', theme: 'light' },
]

/** Axe in each language and theme once; whether everything fits, at each size. */
it.each(looks)('every part can be read, named and hit, $lang, $theme', (look) =>
  withPage(look, '', async (open) => {
    const check = async (part: string) => {
      expect(await findFaults(open, part), part).toEqual([])
      for (const [size, viewport] of Object.entries(sizes)) {
        await open.setViewportSize(viewport)
        await untilStill(open)
        expect(await misfits(open), `${part} on ${size}`).toEqual([])
      }
      await open.setViewportSize(sizes[look.size ?? 'panel'])
    }
    const alarmText = look.lang === 'cn' ? '油温过高' : 'Oil too hot'
    for (const hash of ['#values', '#trend', '#setpoints', '#alarms']) {
      await open.goto(`${url}/${hash}`)
      await open.reload()
      await open.getByText(alarmText).first().waitFor()
      await check(hash)
    }
    await open.goto(`${url}/#setpoints`)
    await open.reload()
    await open.locator('.setpoint-value').first().click()
    await check('the keys')
  }),
)

it('shows a value that cannot be read as such, and others as they change, in place', () =>
  withPage({ size: 'phone' }, '', async (open) => {
    const bad = open.locator('.tile', { hasText: longName })
    expect(await bad.locator('.tile-value').textContent()).toBe('—')
    await bad.getByText('Can’t be read').waitFor()
    const places = () =>
      open.evaluate<string>(
        `JSON.stringify([...document.querySelectorAll('.tile')].map((tile) => tile.getBoundingClientRect()))`,
      )
    const before = await places()
    for (const value of [9.9, 100, 299.9, 5]) machine.set(temperature, value)
    machine.set(pressure, 12.5)
    await open.locator('.tile', { hasText: 'Zone 1' }).getByText('5.0').waitFor()
    await bad.getByText('12.50').waitFor()
    expect(await places()).toBe(before)
  }))

it('sets a number by the keys alone, and shows the machine’s value', () =>
  withPage({}, '#setpoints', async (open) => {
    const row = open.locator('.setpoint', { hasText: 'Target' })
    await row.locator('.setpoint-value').click()
    const sheet = open.getByRole('dialog', { name: 'Target' })
    for (const key of ['9', '9', '9']) await sheet.getByRole('button', { name: key, exact: true }).click()
    await sheet.getByText('Out of range').waitFor()
    expect(await sheet.getByRole('button', { name: 'Set', exact: true }).isDisabled()).toBe(true)
    await sheet.getByRole('button', { name: 'Clear' }).click()
    for (const key of ['7', '2', 'Decimal point', '5'])
      await sheet.getByRole('button', { name: key, exact: true }).click()
    await sheet.getByRole('button', { name: 'Set', exact: true }).click()
    await row.getByText('Device accepted 72.5').waitFor()
    expect(machine.writes).toEqual([
      { tag: target, value: 72.5, source: { kind: 'page', visit: null, user: null } },
    ])
    // A step is only a draft until it is set.
    await row.getByRole('button', { name: 'Increase Target' }).click()
    await row.getByText('Not set yet, the device has 72.5').waitFor()
    expect(machine.writes).toHaveLength(1)
    await row.getByRole('button', { name: 'Set Target' }).click()
    await row.getByText('Device accepted 72.6').waitFor()
  }))

it('explains an error beside the field, and shows the machine’s value', () =>
  withPage({ size: 'phone' }, '#setpoints', async (open) => {
    machine.answer = async () => ({ refused: 'offline' })
    await open.getByRole('switch', { name: 'Pump' }).click()
    await open.locator('.setpoint', { hasText: 'Pump' }).getByText('The controller is offline').waitFor()
    expect(await open.getByRole('switch', { name: 'Pump' }).getAttribute('aria-checked')).toBe('true')
    machine.answer = async () => ({ state: 'failed', kept: 220, error: '' })
    const row = open.locator('.setpoint', { hasText: 'Target' })
    await row.getByRole('button', { name: 'Decrease Target' }).click()
    await row.getByRole('button', { name: 'Set Target' }).click()
    await row.getByText('Rejected, device kept 220.0').waitFor()
    machine.answer = null
    await open.locator('.setpoint', { hasText: 'Order' }).locator('.setpoint-value').click()
    await open.getByRole('textbox', { name: 'Order' }).fill('<b>7</b>')
    await open.keyboard.press('Enter')
    await open.getByText('Device accepted <b>7</b>').waitFor()
    expect(machine.writes.at(-1)).toMatchObject({ tag: order, value: '<b>7</b>' })
  }))

it('follows control as it goes and comes back', () => {
  visitor = { visit: '7', user: 'Li', mode: 'rw', until: Date.now() + 3_600_000 }
  return withPage({}, '#setpoints', async (open) => {
    const toggle = open.getByRole('switch', { name: 'Pump' })
    const asVisitor = (mode: Visitor['mode']): void => {
      visitor = { visit: '7', user: 'Li', mode, until: Date.now() + 3_600_000 }
      // As the platform does it: the visit's streams are cut.
      server.closeAllConnections()
    }
    expect(await toggle.isEnabled()).toBe(true)
    asVisitor('ro')
    await open.getByText('View only', { exact: true }).waitFor()
    await open.getByText('take or request control').waitFor()
    await open.waitForFunction("document.querySelectorAll('.setpoint button:enabled').length === 0")
    asVisitor('rw')
    await open.getByText('Can operate').waitFor()
    await open.locator('.switch:enabled').waitFor()
    await toggle.click()
    await open.getByText('Device accepted Off').waitFor()
    expect(machine.writes).toEqual([
      { tag: pump, value: false, source: { kind: 'page', visit: '7', user: 'Li' } },
    ])
  })
})

it('without a connection says so, shows no value as good and locks set-points; then recovers', () =>
  withPage({ size: 'desktop' }, '', async (open) => {
    const { port } = server.address() as AddressInfo
    await stopPage()
    await open.locator('#strip').getByText('No connection since').waitFor()
    expect(await open.locator('.tile[data-quality="good"]').count()).toBe(0)
    expect(await open.locator('.setpoint button:enabled').count()).toBe(0)
    machine.set(temperature, 100)
    await startOn(machine, port)
    await open.locator('.tile', { hasText: 'Zone 1' }).getByText('100.0').waitFor()
    await open.locator('#strip').getByText('Oil too hot').waitFor()
  }))

it('says that the visit has ended, and sends no further requests', () =>
  withPage({ size: 'phone' }, '', async (open) => {
    isOver = true
    server.closeAllConnections()
    await open.getByRole('heading', { name: 'The visit has ended' }).waitFor()
    expect(await findFaults(open, 'over')).toEqual([])
    const asked = requests
    // Longer than the first retries of a page take.
    await open.waitForTimeout(3_000)
    expect(requests).toBe(asked)
  }))

it('remembers language and theme', () =>
  withPage({ size: 'phone' }, '', async (open) => {
    await open.getByRole('button', { name: '中文' }).click()
    await open.getByRole('button', { name: '切换到深色' }).click()
    await open.reload()
    await open.getByText('油温过高').first().waitFor()
    expect(
      await open.evaluate('[document.documentElement.lang, document.documentElement.dataset.theme]'),
    ).toEqual(['zh-CN', 'dark'])
  }))

it('shows 200 tags, and a machine without set-points', async () => {
  await stopPage()
  const many = Array.from({ length: 200 }, (_, index) =>
    buildTag({ group: `Group ${Math.floor(index / 25)}`, name: `t${index}`, unit: '°C', scale: 1 }),
  )
  const large = createMemoryMachine(
    [...many, buildTag({ type: 'bool' })],
    [{ ...alarm, tag: 200, since: null }],
  )
  for (const index of many.keys()) large.set(index, index * 10_000 + 0.5)
  await startOn(large, 0)
  for (const size of ['phone', 'desktop'] as const) {
    await withPage({ size }, '#values', async (open) => {
      expect(await open.locator('.tile').count()).toBe(200)
      expect(await misfits(open)).toEqual([])
      // Whole numbers or none, because a cut one is wrong.
      const cut = await open.evaluate(
        `[...document.querySelectorAll('.tile-value')].filter((one) => one.scrollWidth > one.clientWidth).length`,
      )
      expect(cut).toBe(0)
      await open.goto(`${url}/#setpoints`)
      await open.reload()
      await open.getByText('This device has no set-points').waitFor()
    })
  }
})
