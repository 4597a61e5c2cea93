import { accounts, type Route } from '@busbar/contract'
import { failureOf, PushClient } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { formatQrUrl } from './qr-login-routes.ts'

let aheadMs = 0
const site = useSite({ PUBLIC_URL: 'http://busbar.localhost' }, { now: () => Date.now() + aheadMs })

interface Browser {
  readonly qrToken: string
  readonly cookie: string
  readonly terminalUUID: string
}

async function post(route: Route, body: object, cookie = '') {
  const response = await fetch(`${site.url}${route.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie ? { cookie } : {}) },
    body: JSON.stringify(body),
  })
  const { hwdata } = (await response.json()) as { hwdata: Record<string, unknown> }
  return { hwdata, cookies: response.headers.getSetCookie() }
}

/** A browser shows a code. */
async function show(): Promise<Browser> {
  const terminalUUID = `browser-${crypto.randomUUID()}`
  const terminal = { terminalUUID, terminalName: 'Chrome · Linux' }
  const { hwdata, cookies } = await post(accounts.createQrToken, terminal)
  expect(hwdata.qrUrl).toBe(`http://busbar.localhost/qr/${hwdata.qrToken}`)
  return { qrToken: String(hwdata.qrToken), cookie: cookies[0]?.split(';')[0] ?? '', terminalUUID }
}

const check = ({ cookie, qrToken, terminalUUID }: Browser) =>
  post(accounts.checkQrLogin, { qrToken, terminalUUID }, cookie)
const stateOf = async (browser: Browser) => (await check(browser)).hwdata.state

test('a code leads only to hosts of brands and the public one, and without those names to none', () => {
  const source = (publicUrl?: string) => ({
    brands: { hasHost: (host: string | undefined) => host === 'plant.example' },
    publicUrl,
  })
  const at = (host: string, publicUrl?: string) => formatQrUrl(source(publicUrl), host, 'qr.x')
  expect(at('evil.example', 'https://busbar.example/')).toBe('https://busbar.example/qr/qr.x')
  expect(at('plant.example', 'https://busbar.example/')).toBe('https://plant.example/qr/qr.x')
  expect(at('evil.example')).toBe('/qr/qr.x')
  expect(at('plant.example')).toBe('/qr/qr.x')
})

describe('signing in by QR code', () => {
  test('a phone lets a browser in, once, and the browser’s page gets each step', async () => {
    const person = await site.createUser({ name: 'Ming Li' })
    const browser = await show()
    const page = await PushClient.open(site.url, browser.qrToken)
    const told = (state: number) =>
      page.find((event) => (event.scene === 'qrLogin' && event.state === state ? true : undefined))
    await told(accounts.qrStates.waiting)

    const asked = await site.as(person).call(accounts.scanQrLogin, { qrToken: browser.qrToken })
    expect(asked).toEqual({ brand: 'Busbar', terminalName: 'Chrome · Linux', ip: '127.0.0.1', place: '' })
    await told(accounts.qrStates.scanned)
    expect((await check(browser)).hwdata).toEqual({ state: 1, name: 'Ming Li' })

    await site.as(person).call(accounts.confirmQrLogin, { qrToken: browser.qrToken, ok: true })
    await told(accounts.qrStates.confirmed)
    expect((await page.waitForClose()).code).toBe(1000)
    const { hwdata, cookies } = await check(browser)
    expect(hwdata).toMatchObject({ state: 2, userid: person.userId })
    expect(cookies.find((cookie) => cookie.startsWith('token='))).toMatch(/HttpOnly/)
    const me = await site.as({ token: String(hwdata.token) }).call(accounts.selectInfo, {})
    expect(me.userid).toBe(person.userId)
    expect((await check(browser)).hwdata).toEqual({ state: 4 })
  })

  test('a confirmed code without its browser’s cookie has expired', async () => {
    const person = await site.createUser()
    const [browser, stranger] = [await show(), await show()]
    await site.as(person).call(accounts.scanQrLogin, { qrToken: browser.qrToken })
    await site.as(person).call(accounts.confirmQrLogin, { qrToken: browser.qrToken, ok: true })
    expect(await stateOf({ ...browser, cookie: '' })).toBe(4)
    expect(await stateOf({ ...browser, cookie: stranger.cookie })).toBe(4)
    expect(await stateOf({ ...browser, terminalUUID: stranger.terminalUUID })).toBe(4)
    expect(await stateOf(browser)).toBe(2)
  })

  test('only the person who scanned a code can answer it, and only once', async () => {
    const [person, other] = [await site.createUser(), await site.createUser()]
    const { qrToken } = await show()
    const confirm = (who: { token: string }, ok = true) =>
      failureOf(site.as(who), accounts.confirmQrLogin, { qrToken, ok })
    expect((await confirm(person)).code).toBe('QR_OVER')
    await site.as(person).call(accounts.scanQrLogin, { qrToken })
    expect(await site.refusalOf(other, accounts.scanQrLogin, { qrToken })).toBe('QR_OVER')
    expect((await confirm(other)).code).toBe('QR_OVER')
    await site.as(person).call(accounts.confirmQrLogin, { qrToken, ok: false })
    expect((await confirm(person)).code).toBe('QR_OVER')
  })

  test('after 120 seconds a code cannot be scanned, confirmed or redeemed', async () => {
    const person = await site.createUser()
    const [unseen, scanned, confirmed] = [await show(), await show(), await show()]
    for (const { qrToken } of [scanned, confirmed])
      await site.as(person).call(accounts.scanQrLogin, { qrToken })
    await site.as(person).call(accounts.confirmQrLogin, { qrToken: confirmed.qrToken, ok: true })
    aheadMs = accounts.qrLoginMs + 1
    try {
      const scan = { qrToken: unseen.qrToken }
      expect(await site.refusalOf(person, accounts.scanQrLogin, scan)).toBe('QR_OVER')
      const late = { qrToken: scanned.qrToken, ok: true }
      expect(await site.refusalOf(person, accounts.confirmQrLogin, late)).toBe('QR_OVER')
      expect(await stateOf(confirmed)).toBe(4)
      const page = await PushClient.open(site.url, unseen.qrToken)
      expect((await page.waitForClose()).code).toBe(4401)
    } finally {
      aheadMs = 0
    }
  })

  test('a phone that was signed out meanwhile lets nobody in', async () => {
    const person = await site.createUser()
    const phone = await site.signIn(person.userId)
    const browser = await show()
    await site.as(phone).call(accounts.scanQrLogin, { qrToken: browser.qrToken })
    await site.as(phone).call(accounts.confirmQrLogin, { qrToken: browser.qrToken, ok: true })
    await site.as(person).call(accounts.removeTerminal, { id: phone.sessionId })
    expect(await stateOf(browser)).toBe(4)
  })
})
