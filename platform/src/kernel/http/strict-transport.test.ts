import { type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSecureCheck } from './client-address.ts'
import { WebPort } from './web-port.ts'

/* A browser that used TLS once has to use it always: on the console and on the hosts of machines' pages. */

const year = 'max-age=31536000'
const proxied = { 'x-forwarded-proto': 'https' }

/** The header an answer has. */
function askFrom(port: number, path: string, headers: Record<string, string>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume().once('end', () => resolve(response.headers['strict-transport-security']))
    })
      .once('error', reject)
      .end()
  })
}

describe('behind a trusted proxy', () => {
  let site: TestPlatform
  beforeAll(async () => {
    site = await startTestPlatform({
      PUBLIC_URL: 'https://busbar.example',
      VISIT_HOST: 'visits.machines.example',
      TRUSTED_PROXIES: '127.0.0.1',
    })
  })
  afterAll(() => site.stop())
  const ask = (path: string, headers: Record<string, string>) => askFrom(site.webPort, path, headers)

  test.each([
    ['the console', 'busbar.example', '/'],
    ['a call', 'busbar.example', '/api/v1/nothing'],
    ['a machine’s page', 'm1.visits.machines.example', '/'],
    ['a request that is refused unread', 'busbar.example', '//user@elsewhere'],
  ])('%s is told for a year, without subdomains', async (_, host, path) => {
    expect(await ask(path, { host, ...proxied })).toBe(year)
    expect(await ask(path, { host })).toBeUndefined()
  })

  test('this machine’s own names are not: other programs answer under them', async () => {
    for (const host of ['localhost:8443', 'm1.visit.localhost'])
      expect(await ask('/', { host, ...proxied })).toBeUndefined()
  })
})

describe('trusted proxies', () => {
  const servers: WebPort[] = []
  afterEach(() => {
    for (const { server } of servers.splice(0)) server.close()
  })
  const listen = async (trusted: string[]) => {
    const port = new WebPort(createSecureCheck(trusted))
    servers.push(port)
    port.serverFactory(((_, response) => response.end()) satisfies RequestListener)
    await new Promise<void>((resolve) => port.server.listen(0, '127.0.0.1', resolve))
    return (port.server.address() as AddressInfo).port
  }

  test('a stranger’s claim of https does not count', async () => {
    const headers = { host: 'busbar.example', ...proxied, connection: 'close' }
    expect(await askFrom(await listen([]), '/', headers)).toBeUndefined()
    expect(await askFrom(await listen(['10.0.0.1']), '/', headers)).toBeUndefined()
    expect(await askFrom(await listen(['127.0.0.1']), '/', headers)).toBe(year)
  })

  test('of several proxies only the nearest counts', async () => {
    const port = await listen(['127.0.0.1'])
    const headers = { host: 'busbar.example', connection: 'close' }
    expect(await askFrom(port, '/', { ...headers, 'x-forwarded-proto': 'https, http' })).toBeUndefined()
    expect(await askFrom(port, '/', { ...headers, 'x-forwarded-proto': 'http, https' })).toBe(year)
  })
})
