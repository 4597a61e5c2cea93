import { fileURLToPath } from 'node:url'
import { defineBrowserCommand, playwright } from '@vitest/browser-playwright'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import type { BrowserCommandContext } from 'vitest/node'
import { untilStill } from '../../testkit/src/still.ts'
import { landFiles } from '../build/land-files.ts'

/** Tests that need a real browser, with the suffix that keeps them out of the console's others. */
export const testsInBrowser = 'console/**/*.browser.test.tsx'

/** No sandbox, since tests run as root too, and nothing that a browser does on its own behalf. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  // Without it a browser without a graphics card draws no map.
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const presentMsMax = 10_000

/** Runs in the page. The element itself may be transparent, as an input under its drawing is. */
const isSeen = (element: { parentElement?: { checkVisibility(by: object): boolean } } | null) =>
  element?.parentElement?.checkVisibility({ opacityProperty: true })

/**
 * The middle of an element, once the page and it stand still and it is seen: a panel that opens is placed and measured for
 * some frames, and the library's panels stay transparent on a touch screen until its keyboard had its time to open.
 */
async function findMiddle(context: BrowserCommandContext, selector: string) {
  const frame = await context.frame()
  const found = frame.locator(selector).first()
  // An element that has just gone must not keep its test until its own end.
  const element = await found.elementHandle({ timeout: presentMsMax })
  await frame.waitForFunction(isSeen, element as never, { timeout: presentMsMax })
  await untilStill(frame)
  await element?.waitForElementState('stable')
  const at = await found.boundingBox()
  if (!at) throw new Error(`nothing to touch: ${selector}`)
  return { x: at.x + at.width / 2, y: at.y + at.height / 2 }
}

/**
 * Taps an element, as a finger does: the browser makes the pointer events and the click itself. The finger goes up without
 * waiting for the page or this process, where a busy machine would make a long press of it.
 */
const tap = defineBrowserCommand<[selector: string]>(async (context, selector) => {
  const { x, y } = await findMiddle(context, selector)
  await context.page.touchscreen.tap(x, y)
})

/** Holds a finger on an element for at least so long. */
const hold = defineBrowserCommand<[selector: string, heldMs: number]>(async (context, selector, heldMs) => {
  const point = await findMiddle(context, selector)
  const session = await context.context.newCDPSession(context.page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await new Promise((resolve) => setTimeout(resolve, heldMs))
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
})

const restMs = 150

/** Drags an element sideways by a finger. */
const touchDrag = defineBrowserCommand<[selector: string, byX: number]>(async (context, selector, byX) => {
  const { x, y } = await findMiddle(context, selector)
  const session = await context.context.newCDPSession(context.page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const touchPoints = [{ x: x + byX * part, y }]
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints })
  }
  // A finger that goes up while it moves is a fling, during which the browser ignores the next tap.
  await new Promise((resolve) => setTimeout(resolve, restMs))
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
})

/** Presses the mouse on one place and releases it on another, as in selecting text. */
const dragTo = defineBrowserCommand<[from: string, to: { x: number; y: number }]>(
  async (context, from, to) => {
    const frame = await context.frame()
    await untilStill(frame)
    const start = await frame.locator(from).first().boundingBox()
    const corner = await (await frame.frameElement()).boundingBox()
    if (!start || !corner) throw new Error(`nothing to drag from: ${from}`)
    const { mouse } = context.page
    await mouse.move(start.x + start.width / 2, start.y + start.height / 2)
    await mouse.down()
    await mouse.move(corner.x + to.x, corner.y + to.y, { steps: 4 })
    await mouse.up()
  },
)

/** Moves the mouse over an element's middle, in small steps, as a hand does. */
const moveTo = defineBrowserCommand<[selector: string]>(async (context, selector) => {
  const { x, y } = await findMiddle(context, selector)
  await context.page.mouse.move(x, y, { steps: 12 })
})

/** Waits until nothing moves on the page of the test. */
const still = defineBrowserCommand(async (context) => untilStill(await context.frame()))

/** The tests of the console's parts, in a real browser: keyboard, touch, names for screen readers. */
export const browserProject = {
  extends: true,
  plugins: [landFiles()],
  // A test's file and its parts are transformed once and kept.
  cacheDir: fileURLToPath(new URL('../../node_modules/.vite/console-parts', import.meta.url)),
  optimizeDeps: {
    // If the page finds one during a test, it reloads.
    include: [
      'react',
      'react/jsx-dev-runtime',
      'react-dom',
      'react-dom/client',
      'react-aria/PortalProvider',
      'react-aria/useFocusVisible',
      '@internationalized/date',
      'zod',
      'axe-core',
      'gcoord',
      'maplibre-gl',
      '@tanstack/react-query',
      '@tanstack/react-router',
      ...[
        'Autocomplete',
        'Calendar',
        'DatePicker',
        'DateRangePicker',
        'Dialog',
        'I18nProvider',
        'ListBox',
        'Menu',
        'Popover',
        'Pressable',
        'SearchField',
        'Tabs',
        'TimeField',
      ].map((part) => `react-aria-components/${part}`),
    ],
  },
  test: {
    name: 'parts',
    include: [testsInBrowser],
    // A slow machine needs it; no test should take so long.
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
      viewport: { width: 1280, height: 800 },
      provider: playwright({
        launchOptions: { executablePath: process.env.BUSBAR_CHROMIUM ?? '/usr/bin/chromium', args: flags },
        contextOptions: { hasTouch: true, locale: 'de-DE', timezoneId: 'Europe/Berlin' },
      }),
      commands: { tap, hold, touchDrag, dragTo, moveTo, still },
      instances: [{ browser: 'chromium' }],
    },
  },
} satisfies TestProjectInlineConfiguration
