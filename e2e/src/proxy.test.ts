import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, type TestMachine, type TestUser } from '@busbar/testkit'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { connect as connectMqtt } from 'mqtt'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { machineEntry } from './devices.ts'
import { describeLarge, type FileServer, filePaths, startFileServer } from './file-server.ts'
import { machinePage } from './machine-page.ts'
import { holdTemperature, type ModbusRig, startModbusRig } from './modbus-rig.ts'
import { type Nginx, proxyNames, startNginx } from './nginx.ts'
import { type OwnSite, startSite } from './site.ts'
import { type Look, signInByForm, type View, withView } from './view.ts'
import { enterLink, enterTarget, openTab } from './visits.ts'

/*
 * The platform behind a real nginx, as deploy/nginx.conf has it: https, two domains, all clients through one
 * port.
 */

const deadlineMs = 10_000
const largeBytes = 64 * 1024 * 1024
const password = 'correct horse battery'
const name = 'Pasteuriser 1'
const look: Look = { lang: 'en', theme: 'light', size: 'wide' }

let platformPort: number
let nginx: Nginx
let site: OwnSite
let browser: Browser
let db: Database
let files: FileServer
let modbusRig: ModbusRig
let owner: TestUser
let machine: TestMachine

beforeAll(async () => {
  platformPort = await findFreePort('127.0.0.1')
  const platformMqttPort = await findFreePort('127.0.0.1')
  nginx = await startNginx(platformPort, platformMqttPort)
  site = await startSite({
    env: {
      PORT: String(platformPort),
      PUBLIC_URL: `https://${proxyNames.console}:${nginx.port}`,
      VISIT_HOST: `${proxyNames.visits}:${nginx.port}`,
      TRUSTED_PROXIES: '127.0.0.1',
      MQTT_PORT: String(platformMqttPort),
      MQTT_PROXY_PROTOCOL: '1',
      LOG_LEVEL: 'debug',
    },
  })
  const rules = [proxyNames.console, `*.${proxyNames.visits}`].map((host) => `MAP ${host} 127.0.0.1`)
  // The browser does not know the test's authority. It trusts the keys: errors that it only ignores make it
  // repeat each request, and it gives up a request after too many.
  const trusted = nginx.keyHashes.join()
  browser = await launchBrowser({
    args: [`--host-resolver-rules=${rules.join()}`, `--ignore-certificate-errors-spki-list=${trusted}`],
  })
  files = await startFileServer()
  db = await site.openDatabase()
  owner = await createUser(db, { name: 'Ann Wang', lang: 'en', password })
  machine = await createMachine(db, { name, owner: owner.userId })
  modbusRig = await startModbusRig(site, machine, {
    cloudUrl: `wss://localhost:${nginx.port}/mqtt`,
    targets: [{ name: 'files', url: files.url }],
    env: { NODE_EXTRA_CA_CERTS: nginx.caFile },
  })
  modbusRig.setHoldTemperature(72.5)
  await modbusRig.startAgent()
})

afterAll(async () => {
  await modbusRig?.close()
  await db?.destroy()
  await browser?.close()
  await files?.close()
  await site?.stop()
  await nginx?.close()
})

/** A signed-in person with the list open. */
function withOwner(work: (view: View) => Promise<void>): Promise<void> {
  return withView(browser, site, look, async (view) => {
    await view.page.goto('/')
    await signInByForm(view, { account: owner.email, password })
    await machineEntry(view, name).waitFor()
    await work(view)
  })
}

it('a person signs in and enters: values move in the list and on the page, no cookie leaves its host', () =>
  withOwner(async (view) => {
    const entry = machineEntry(view, name)
    await entry.getByText('72.5').waitFor({ timeout: deadlineMs })
    const inside = machinePage(view, await openTab(view, enterLink(view, name)))
    const hold = inside.tile(holdTemperature.en)
    await hold.getByText('72.5').waitFor({ timeout: deadlineMs })

    modbusRig.setHoldTemperature(81.3)
    await hold.getByText('81.3').waitFor({ timeout: deadlineMs })
    await entry.getByText('81.3').waitFor({ timeout: deadlineMs })

    const visitHost = new URL(inside.page.url()).hostname
    expect(visitHost).toBe(`${machine.code}.${proxyNames.visits}`)
    expect(siteOf(visitHost)).not.toBe(siteOf(proxyNames.console))
    const cookies = await view.context.cookies()
    expect(cookies.every(({ secure }) => secure)).toBe(true)
    const held = cookies.filter(({ httpOnly }) => httpOnly).map((cookie) => `${cookie.name} ${cookie.domain}`)
    expect(held.sort()).toEqual([`__Host-token ${proxyNames.console}`, `__Host-visit ${visitHost}`])
    expect(view.complaints).toEqual([])
  }))

it('the agent’s tunnel passes nginx as bare bytes: no WebSocket was needed', async () => {
  const tunnels = (await nginx.readLog()).split('\n').filter((line) => line.includes('"GET /tunnel"'))
  // An open tunnel is not logged yet; a refused one would be.
  expect(tunnels.filter((line) => !line.includes('"GET /tunnel" 101'))).toEqual([])
})

it('64 MB go down and up through it, and nothing on the way keeps them', () =>
  withOwner(async (view) => {
    const page = await enterTarget(view, name, 'files')
    await page.getByRole('heading', { name: 'Files' }).waitFor()
    await beginDownload(page)
    // The device holds the rest back: a proxy that waits for all of it would have shown nothing.
    await page.waitForFunction('downloadedBytes > 0', undefined, { timeout: deadlineMs })
    expect(await page.evaluate('downloadedBytes')).toBeLessThan(largeBytes)
    files.letGo()
    const expected = describeLarge(largeBytes)
    expect(await page.evaluate('download')).toEqual(expected)

    await beginUpload(page)
    await expect.poll(() => files.uploadedBytes, { timeout: deadlineMs }).toBeGreaterThan(0)
    expect(await page.evaluate('uploadedBytes')).toBeLessThan(largeBytes)
    files.letGo()
    expect(await page.evaluate('upload')).toEqual(expected)

    expect(files.seen.flatMap((headers) => Object.keys(headers))).not.toContain('x-forwarded-for')
    expect(files.seen.flatMap(({ cookie }) => cookie ?? [])).toEqual([])
  }))

/** In the browser's words: nothing here knows its types. */
const beginDownload = (page: Page) =>
  page.evaluate(`
    var downloadedBytes = 0
    var file
    var download = (async () => {
      const parts = []
      const response = await fetch('${filePaths.large}?bytes=${largeBytes}')
      for (const reader = response.body.getReader(); ; ) {
        const { done, value } = await reader.read()
        if (done) break
        parts.push(value)
        downloadedBytes += value.length
      }
      file = new Blob(parts)
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
      const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      return { bytes: downloadedBytes, sha256 }
    })()
    undefined`)

/** Sends downloaded data back. */
const beginUpload = (page: Page) =>
  page.evaluate(`
    var uploadedBytes = 0
    var upload = new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.upload.onprogress = ({ loaded }) => { uploadedBytes = loaded }
      request.onload = () => resolve(JSON.parse(request.responseText))
      request.onerror = () => reject(new Error('the upload broke off'))
      request.open('POST', '${filePaths.upload}')
      request.send(file)
    })
    undefined`)

it('a request without TLS is redirected with method and path, and later ones must use it', async () => {
  const host = proxyNames.console
  const plain = await ask(httpRequest, { port: nginx.plainPort, path: '/api/x?y=1', method: 'POST', host })
  expect([plain.statusCode, plain.headers.location]).toEqual([308, `https://${host}/api/x?y=1`])
  for (const name of [host, `${machine.code}.${proxyNames.visits}`]) {
    const { headers } = await ask(httpsRequest, { port: nginx.port, path: '/', method: 'GET', host: name })
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  }
})

it('no log has a secret of an address, also where nginx fails or refuses', async () => {
  const secret = 'SecretOfAnAddress0123456789'
  const visitHost = `${machine.code}.${proxyNames.visits}`
  const pages = ['alarm/link', 'contact', 'unsubscribe', 'qr']
  const calls = ['alarm/link', 'alarm/unsubscribe', 'alarm/contact/confirm', 'sms/receipts']
  type Asked = { path: string; method?: string; host?: string; headers?: object; bytes?: number }
  const asked: Asked[] = [
    ...[...pages, ...calls.map((call) => `api/v1/${call}`)].map((path) => ({
      path: `/${path}/${secret}?x=1`,
    })),
    ...[`/echo.io?sid=${secret}`, `/visit/authorize?code=${secret}`, `//qr/${secret}`].map((path) => ({
      path,
    })),
    // Too large for nginx, which notes an error with the request's line.
    { path: `/api/user/selectInfo?x=${secret}`, method: 'POST', bytes: 65 * 1024 },
    { path: `/.busbar/enter?code=${secret}`, host: visitHost },
    // The platform ends this one without an answer, which is an error of nginx too.
    { path: `/echo.io?sid=${secret}`, headers: { upgrade: 'nonsense' } },
    { path: `/%zz?${secret}` },
  ]
  for (const { path, method = 'GET', host = proxyNames.console, headers = {}, bytes = 0 } of asked) {
    const to = {
      path,
      method,
      host,
      headers: { referer: `https://${host}/qr/${secret}?${secret}`, ...headers },
    }
    await ask(httpsRequest, { ...to, port: nginx.port }, Buffer.alloc(bytes))
    await ask(httpRequest, { ...to, port: nginx.plainPort })
  }
  const log = await nginx.readLog()
  expect(log).not.toContain(secret)
  // Of all that these tests asked for.
  expect(log).not.toMatch(/"[A-Z]+ [^"]*\?/)
  expect(site.output()).not.toContain(secret)
  for (const path of pages) expect(log).toContain(`"GET /${path}/..."`)
  for (const line of ['"POST /api/x"', `${visitHost} "GET /.busbar/enter"`, '"GET /visit/authorize"'])
    expect(log).toContain(line)
})

it('a body that no call takes is refused on the way, and one for a picture is not', async () => {
  const send = (path: string, bytes: number) => {
    const to = { port: nginx.port, path, method: 'POST', host: proxyNames.console }
    return ask(httpsRequest, to, Buffer.alloc(bytes))
  }
  expect((await send('/api/user/selectInfo', 65 * 1024)).statusCode).toBe(413)
  expect((await send('/api/v1/uploads', 65 * 1024)).statusCode).not.toBe(413)
})

/** The answer for a host name, sent to the proxy without resolving the name. */
function ask(
  open: typeof httpRequest | typeof httpsRequest,
  { host, headers, ...to }: { host: string; port: number; path: string; method: string; headers?: object },
  body?: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    open(
      { ...to, host: '127.0.0.1', servername: host, ca: nginx.ca, headers: { ...headers, host } },
      (response) => response.resume().once('end', () => resolve(response)),
    )
      .once('error', reject)
      .end(body)
  })
}

it('a machine that comes by MQTT through the proxy counts under its own address', async () => {
  const { machineId, code, secret } = await createMachine(db, { name: 'Filler 2', owner: owner.userId })
  const client = connectMqtt({
    ...{ protocol: 'mqtts', host: '127.0.0.1', port: nginx.mqttPort, servername: proxyNames.console },
    ...{ ca: nginx.ca, localAddress: clientAddress, username: code, password: secret, clientId: code },
  })
  await new Promise((resolve, reject) => client.once('connect', resolve).once('error', reject))
  await expect
    .poll(() =>
      db.selectFrom('machine_connections').select('address').where('machine_id', '=', machineId).execute(),
    )
    .toEqual([{ address: clientAddress }])
  await client.endAsync()
})

const clientAddress = '127.0.0.9'
const forged = { 'x-forwarded-for': '203.0.113.7' }

it.each([
  ['through the proxy', true, {}],
  ['through the proxy, with another address in a header of their own', true, forged],
  ['past the proxy, with another address in a header of their own', false, forged],
])('a person who comes %s counts under their own address', async (_, isProxied, headers) => {
  const terminalUUID = `terminal-${crypto.randomUUID()}`
  await signInFrom(terminalUUID, isProxied, headers)
  const session = await db
    .selectFrom('sessions')
    .select('address')
    .where('terminal_uuid', '=', terminalUUID)
    .executeTakeFirstOrThrow()
  expect(session.address).toBe(clientAddress)
})

/** Signs the owner in from the client's address, with headers that a browser does not allow scripts to set. */
async function signInFrom(terminalUUID: string, isProxied: boolean, headers: Record<string, string>) {
  const options = {
    host: '127.0.0.1',
    localAddress: clientAddress,
    method: 'POST',
    path: '/api/user/login',
    headers: {
      ...headers,
      host: `${proxyNames.console}:${nginx.port}`,
      'content-type': 'application/json',
    },
  }
  const request = isProxied
    ? httpsRequest({ ...options, port: nginx.port, servername: proxyNames.console, ca: nginx.ca })
    : httpRequest({ ...options, port: platformPort })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
  })
  request.end(
    JSON.stringify({ loginName: owner.email, loginPwd: password, terminalUUID, terminalName: 'test' }),
  )
  expect(await answered).toBe(200)
}

/** The registrable domain of the example's names. */
const siteOf = (host: string) => host.split('.').slice(-2).join('.')
