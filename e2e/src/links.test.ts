import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  listVisits,
  type Rig,
  type Station,
  startRig,
} from '@busbar/platform/test-support/isolation/testing/rig.ts'
import { createHolder, createUser, type TestUser } from '@busbar/testkit'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureConsoleBuilt } from '../../tools/build.mjs'
import { enterByPress, signInAs } from './isolation/page.ts'
import { shareSite } from './shared-site.ts'

/* Another website in a real browser, whose person is signed in and may enter the machine. */

const harm = '/stop?now=1'
const question = 'form[method="post"] button'

/** A page of another website that leads to an address, immediately or when `#go` is clicked. */
type Way = (address: URL) => string

const script = (code: string) => `<script>${code}</script>`
const form =
  (method: string): Way =>
  (address) => {
    const action = method === 'get' ? `${address.origin}${address.pathname}` : address.href
    const fields = [...address.searchParams].map(([name, value]) => `<input name="${name}" value="${value}">`)
    return `<form method="${method}" action="${action}">${fields.join('')}</form>${script('document.forms[0].submit()')}`
  }
const over = "document.title = 'over'"

/** Ways that show the address in a tab. */
const shown: Record<string, Way> = {
  'a link': ({ href }) => `<a id="go" href="${href}">look</a>`,
  'a link that hides where it is': ({ href }) => `<a id="go" rel="noreferrer" href="${href}">look</a>`,
  'a script': ({ href }) => script(`location.href = '${href}'`),
  'a meta refresh': ({ href }) => `<meta http-equiv="refresh" content="0;url=${href}">`,
  'a redirect': ({ href }) => script(`location.href = '/redirect?' + encodeURIComponent('${href}')`),
  'a form that asks': form('get'),
  'a form that posts': form('post'),
  'a window': ({ href }) => `<button id="go" onclick="window.open('${href}')">look</button>`,
}
/** Ways that stay on the other website, whose title changes when they are over. */
const hidden: Record<string, Way> = {
  'a picture': ({ href }) => `<img src="${href}" onload="${over}" onerror="${over}">`,
  'a frame': ({ href }) => `<iframe src="${href}" onload="${over}"></iframe>`,
  'a fetch that posts': ({ href }) =>
    script(
      `fetch('${href}', { method: 'POST', mode: 'no-cors', credentials: 'include' }).finally(() => { ${over} })`,
    ),
  'a WebSocket': ({ href }) =>
    script(`new WebSocket('${href.replace('http', 'ws')}').onclose = () => { ${over} }`),
}

let browser: Browser
let rig: Rig
let website: Server
let html = ''

beforeAll(async () => {
  await ensureConsoleBuilt()
  ;[{ browser }, rig] = await Promise.all([shareSite(), startRig()])
  website = createServer((request, response) => {
    const to = request.url?.startsWith('/redirect?')
      ? decodeURIComponent(request.url.slice('/redirect?'.length))
      : undefined
    if (to) return void response.writeHead(302, { location: to }).end()
    response.writeHead(200, { 'content-type': 'text/html' }).end(request.url === '/' ? html : '')
  })
  // Another site than `localhost`, whose cookies go along with a navigation alone.
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  website?.close()
  await rig?.stop()
})

const websiteUrl = () => `http://127.0.0.1:${(website.address() as AddressInfo).port}/`
const consoleUrl = () => `http://localhost:${rig.site.webPort}`
const authorizeUrl = ({ client }: Station) =>
  `${consoleUrl()}/visit/authorize?${new URLSearchParams({ host: client.host.replace(/:.*/, ''), state: 'a'.repeat(43) })}`

/** Opens the other website and waits until its link or form has been followed. */
async function tryWay(context: BrowserContext, name: string, address: string): Promise<void> {
  const page = await context.newPage()
  html = (shown[name] ?? hidden[name])?.(new URL(address)) ?? ''
  const isOurs = (url: URL) => url.port === String(rig.site.webPort)
  if (hidden[name]) {
    await page.goto(websiteUrl())
    await page.waitForFunction("document.title === 'over'")
  } else {
    // A page that redirects at once may do so before its own load event.
    await page.goto(websiteUrl(), { waitUntil: 'commit' })
    const opened = name === 'a window' ? context.waitForEvent('page') : Promise.resolve(page)
    if (html.includes('id="go"')) await page.locator('#go').click()
    const tab = await opened
    await tab.waitForURL(isOurs)
    if (tab !== page) await tab.close()
  }
  await page.close()
}

async function withPerson(user: TestUser, work: (context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await browser.newContext()
  try {
    await signInAs(context, rig.site, user)
    // This cookie tells the console that there is a session.
    await context.addCookies([{ name: 'loggedIn', value: '1', url: consoleUrl(), sameSite: 'Lax' }])
    await work(context)
  } finally {
    await context.close()
  }
}

async function createNewcomer(): Promise<TestUser> {
  const user = await createHolder(rig.site.db, rig.good.machine.machineId, { role: 'bkey' })
  return user
}

/** One person and one browser for all ways: what another website may not cause, no number of them causes. */
const ways = [...Object.keys(shown), ...Object.keys(hidden)]

it('another website enters no machine, by any way', async () => {
  const user = await createNewcomer()
  rig.reset()
  await withPerson(user, async (context) => {
    for (const way of ways) {
      await tryWay(context, way, `${rig.good.client.origin}${harm}`)
      await tryWay(context, way, authorizeUrl(rig.good))
      expect(await listVisits(rig, user.userId), way).toEqual([])
    }
  })
  expect(await rig.good.listArrivals()).toEqual([])
})

it('another website asks the machine of an open visit for nothing, by any way', async () => {
  const user = await createUser(rig.site.db)
  const plant = await rig.addStation(user, {
    targets: [
      { name: 'page', readOnly: true },
      { name: 'mixer', readOnly: false },
    ],
  })
  const mixer = `http://mixer--${plant.client.host}`
  await withPerson(user, async (context) => {
    const page = await context.newPage()
    await enterByPress(page, mixer)
    expect(await page.textContent('body')).toBe('the page')
    plant.reset()
    for (const way of ways) {
      await tryWay(context, way, `${mixer}${harm}`)
      expect(
        (await plant.listArrivals()).filter((arrival) => arrival.includes('/stop')),
        way,
      ).toEqual([])
    }
  })
  plant.closeTunnel()
})

describe('a person is in by one press', () => {
  const follow = async (page: Page, address: string) => {
    html = shown['a link']?.(new URL(address)) ?? ''
    await page.goto(websiteUrl())
    await page.locator('#go').click()
  }

  it('on the page that a link to the machine leads to', async () => {
    await withPerson(await createNewcomer(), async (context) => {
      const page = await context.newPage()
      await follow(page, `${rig.good.client.origin}${harm}`)
      await page.locator(question).click()
      await page.waitForURL(`${rig.good.client.origin}/`)
      expect(await page.textContent('body')).toBe('the page')
    })
  })

  it('on the console’s page that a link leads to', async () => {
    await withPerson(await createNewcomer(), async (context) => {
      const page = await context.newPage()
      await follow(page, `${consoleUrl()}/visit/${rig.good.machine.machineId}`)
      await page.getByRole('button', { name: /Enter device|进入设备/ }).click()
      await page.waitForURL(`${rig.good.client.origin}/`)
      expect(await page.textContent('body')).toBe('the page')
    })
  })

  it('after an address that they typed, where it leads', async () => {
    await withPerson(await createNewcomer(), async (context) => {
      const page = await context.newPage()
      await page.goto(`${rig.good.client.origin}/deep?a=1`)
      await page.locator(question).click()
      await page.waitForURL(`${rig.good.client.origin}/deep?a=1`)
    })
  })
})
