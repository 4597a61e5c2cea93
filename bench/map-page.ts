import { createMachine, createUser, placeMachine, type TestUser } from '@busbar/testkit'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import { connectAsync } from 'mqtt'
import type { Browser } from 'playwright-core'
import { createFleet } from '../e2e/src/fleet.ts'
import { startSite } from '../e2e/src/site.ts'
import { type Look, openView, signInDirectly } from '../e2e/src/view.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

/* The page of the map. Its first paint at a quarter of this machine's speed, with empty caches; and the time from the
   row of a device to its mark, while it comes and goes: both are on one page, which the push reaches once. WebGL is
   drawn by the processor (SwiftShader), so a frame of the map takes as long as the processor needs for its pixels. */

const slowness = 4
const paints = 7
const paintMsMax = 2_500
const fleet = 200
const changes = 120
const laterMsMax = 25
const patienceMs = 60_000
/** A phone has the fewest pixels to draw. */
const look: Look = { lang: 'en', theme: 'light', size: 'narrow' }

/**
 * Runs in the page before its own programs: pixels of a map stay readable, and after each frame the row of the only
 * device and the pixel in the middle of the map are compared with those before.
 */
const watchScript = `
  const getContext = HTMLCanvasElement.prototype.getContext
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    const context = getContext.call(this, kind, kind.startsWith('webgl') ? { ...options, preserveDrawingBuffer: true } : options)
    if (kind === 'webgl2') globalThis.busbarGl = context
    return context
  }
  const pixelNow = () => {
    const gl = globalThis.busbarGl
    if (!gl) return ''
    const pixels = new Uint8Array(4 * 9)
    gl.readPixels((gl.drawingBufferWidth >> 1) - 1, (gl.drawingBufferHeight >> 1) - 1, 3, 3, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
    return pixels.join()
  }
  const rowNow = () => document.querySelector('ul[aria-label] li button')?.innerHTML ?? ''
  globalThis.busbarChange = () => new Promise((resolve) => {
    const before = { row: rowNow(), pixel: pixelNow() }
    const at = {}
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      if (at.row === undefined && rowNow() !== before.row) at.row = performance.now()
      if (at.pixel === undefined && pixelNow() !== before.pixel) at.pixel = performance.now()
      if (at.row !== undefined && at.pixel !== undefined) resolve(at.pixel - at.row)
      else requestAnimationFrame(() => port2.postMessage(null))
    }
    requestAnimationFrame(() => port2.postMessage(null))
  }); 0`

const site = await startSite()
const db = await site.openDatabase()
let browser: Browser | undefined
try {
  browser = await launchBrowser({
    args: ['--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader'],
  })
  console.log(`${describeMachine()}, Chromium ${browser.version()}, SwiftShader`)
  const person = await createUser(db, { lang: 'en' })
  await createFleet(db, person.userId, fleet)
  printRows([...(await measurePaint(browser, person)), await measureChange(browser)])
} finally {
  await browser?.close()
  await db.destroy()
  await site.stop()
}

async function measurePaint(chromium: Browser, person: TestUser): Promise<Row[]> {
  const [first, drawn]: [number[], number[]] = [[], []]
  for (let round = 0; round < paints; round++) {
    const view = await openView(chromium, site, look)
    view.context.setDefaultTimeout(patienceMs)
    await signInDirectly(view, site, db, person)
    const session = await view.context.newCDPSession(view.page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
    await view.page.goto('/cloudmap')
    await view.page.locator('canvas').waitFor()
    drawn.push(await view.page.evaluate<number>('performance.now()'))
    first.push(
      await view.page.evaluate<number>(
        `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity`,
      ),
    )
    await view.context.close()
  }
  const p50 = quantile(first, 0.5)
  return [
    {
      what: `the first paint of the map's page at ${slowness}× slower, on a phone`,
      figure: `p50 ${p50.toFixed(0)} ms, worst ${Math.max(...first).toFixed(0)} ms of ${paints}`,
      target: `< ${paintMsMax} ms`,
      met: Math.max(...first) < paintMsMax,
    },
    {
      what: 'the same, until the map is in its place',
      figure: `p50 ${quantile(drawn, 0.5).toFixed(0)} ms, worst ${Math.max(...drawn).toFixed(0)} ms`,
      target: '',
    },
  ]
}

async function measureChange(chromium: Browser): Promise<Row> {
  const person = await createUser(db, { lang: 'en' })
  const machine = await createMachine(db, { name: 'Crane', owner: person.userId })
  await placeMachine(db, machine.machineId, { lat: 31.3, lng: 121.1 })
  const view = await openView(chromium, site, look)
  view.context.setDefaultTimeout(patienceMs)
  await view.context.addInitScript(watchScript)
  await signInDirectly(view, site, db, person)
  await view.page.goto('/cloudmap?at=31.3,121.1,8')
  await view.page.getByRole('listitem').filter({ hasText: 'Crane' }).waitFor()
  await view.page.locator('canvas').waitFor()
  await view.page.waitForLoadState('networkidle')
  // The map's own first frames are over.
  await view.page.waitForTimeout(3_000)
  const later: number[] = []
  let line: Awaited<ReturnType<typeof connectAsync>> | undefined
  for (let change = 0; change < changes; change++) {
    const changed = view.page.evaluate<number>('busbarChange()')
    if (line) {
      await line.endAsync()
      line = undefined
    } else {
      const { code, secret } = machine
      line = await connectAsync(site.mqttUrl, { clientId: code, username: code, password: secret })
    }
    later.push(await changed)
  }
  await line?.endAsync()
  await view.context.close()
  const p99 = quantile(later, 0.99)
  return {
    what: `${changes} changes of a state: the mark on the map after the row of the list`,
    figure: `p50 ${quantile(later, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    target: `p99 ≤ ${laterMsMax} ms`,
    met: p99 <= laterMsMax,
  }
}
