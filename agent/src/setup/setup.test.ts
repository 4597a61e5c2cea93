import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { parseConfig } from '../config/parse-config.ts'
import { ownNetworks } from './own-networks.ts'
import { type SetupEnd, setup } from './setup.ts'

const token = 'a'.repeat(43)
const code = '7000000000000000001'

let folder: string
let said: string[]
let platform: Server
let posts: string[]
let takes: number
let answer: object
let isWebSocketOpen: boolean

beforeEach(async () => {
  vi.stubEnv('LC_ALL', 'en_GB.UTF-8')
  vi.stubEnv('HTTPS_PROXY', '')
  folder = await mkdtemp(join(tmpdir(), 'busbar-setup-'))
  said = []
  posts = []
  takes = 0
  isWebSocketOpen = true
  platform = createServer((request, response) => {
    posts.push(`${request.method} ${request.url}`)
    if (request.url?.endsWith('/secret')) takes++
    response.end(JSON.stringify(answer))
  })
  const sockets = new WebSocketServer({ noServer: true })
  platform.on('upgrade', (request, socket, head) => {
    if (isWebSocketOpen) sockets.handleUpgrade(request, socket, head, () => undefined)
    else socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((listening) => platform.listen(0, '127.0.0.1', listening))
  answer = taken()
})

afterEach(async () => {
  vi.unstubAllEnvs()
  platform.closeAllConnections()
  platform.close()
  await rm(folder, { recursive: true, force: true })
})

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
const origin = () => `http://127.0.0.1:${portOf(platform)}`
const link = () => `${origin()}/api/v1/setup/${token}`

const taken = (change: object = {}) => {
  const ws = origin().replace('http', 'ws')
  const urls = { web: origin(), mqtt: `${ws}/mqtt`, tunnel: `${ws}/tunnel` }
  return {
    hwcode: 0,
    hwdata: { machineCode: code, secret: 's3cret', urls, remote: 'drivers', networks: [], ...change },
  }
}

const run = (...args: string[]): Promise<SetupEnd> =>
  setup([...args, '--folder', folder, '--networks', '192.168.7.0/24', '--no-start'], (line) =>
    said.push(line),
  )
const config = async () => parseConfig(await readFile(join(folder, 'agent.yaml'), 'utf8'))

test('writes what the agent reads, tells it to the platform, and shows no secret', async () => {
  expect(await run(link())).toEqual({ exitCode: 0 })
  expect(await config()).toMatchObject({
    cloud: { code, url: `${origin().replace('http', 'ws')}/mqtt`, secretFile: 'secret' },
    remote: { networks: ['192.168.7.0/24'] },
    connections: [],
  })
  expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('s3cret\n')
  expect((await stat(join(folder, 'secret'))).mode & 0o007).toBe(0)
  expect(posts).toEqual([`POST /api/v1/setup/${token}/secret`, `POST /api/v1/setup/${token}/done`])
  expect(said.join('\n')).not.toContain('s3cret')
})

test('once more, it changes nothing but the secret', async () => {
  await run(link())
  const mine = `${await readFile(join(folder, 'agent.yaml'), 'utf8')}# my own line\n`
  await writeFile(join(folder, 'agent.yaml'), mine)
  answer = taken({ secret: 'newer' })
  expect(await run(link())).toEqual({ exitCode: 0 })
  expect(await readFile(join(folder, 'agent.yaml'), 'utf8')).toBe(mine)
  expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('newer\n')
})

test('the file of another machine is replaced only when it is asked for', async () => {
  await run(link())
  answer = taken({ machineCode: '7000000000000000002', secret: 'other' })
  expect(await run(link())).toEqual({ exitCode: 1 })
  expect(said.at(-1)).toContain(`belongs to device ${code}`)
  expect((await config()).cloud.code).toBe(code)
  expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('s3cret\n')
  expect(posts.filter((path) => path.endsWith('/done'))).toHaveLength(1)
  expect(await run(link(), '--replace')).toEqual({ exitCode: 0 })
  expect((await config()).cloud.code).toBe('7000000000000000002')
})

test('the file that a package brings is not the one of a machine', async () => {
  const packaged = join(import.meta.dirname, '../../../deploy/agent-deb/agent.yaml')
  await writeFile(join(folder, 'agent.yaml'), await readFile(packaged, 'utf8'))
  expect(await run(link())).toEqual({ exitCode: 0 })
  expect((await config()).cloud.code).toBe(code)
})

test('a container wrote its configuration into a folder that it lost, and went on running in its setup', async () => {
  vi.stubEnv('BUSBAR_AGENT_FOLDER', folder)
  const end = await setup([link(), '--networks', '192.168.7.0/24'], (line) => said.push(line))
  expect(end).toEqual({ exitCode: 0 })
  expect((await config()).cloud.code).toBe(code)
})

test('a folder of its own never restarted the service, which reads another one', async () => {
  const end = await setup([link(), '--folder', folder, '--networks', '192.168.7.0/24'], (line) =>
    said.push(line),
  )
  expect(end).toEqual({ run: join(folder, 'agent.yaml') })
})

test('without a network, or where it is switched off, nothing is set up from the platform', async () => {
  expect(await run(link(), '--no-remote')).toEqual({ exitCode: 0 })
  expect(await readFile(join(folder, 'agent.yaml'), 'utf8')).toMatch(/^remote: off$/m)
})

describe('an obstacle is named with its remedy, and nothing is changed', () => {
  const fails = async (address: string, expected: RegExp) => {
    expect(await run(address)).toEqual({ exitCode: 1 })
    expect(said.join('\n')).toMatch(expected)
    expect(existsSync(join(folder, 'agent.yaml'))).toBe(false)
    expect(existsSync(join(folder, 'secret'))).toBe(false)
  }

  test('a name that has no address', () =>
    fails(`http://nowhere.invalid/api/v1/setup/${token}`, /nowhere\.invalid:80 .* cannot be resolved.*DNS/s))

  test('a port that is closed', async () => {
    const closed = createTcpServer()
    await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening))
    const port = portOf(closed)
    await new Promise((ended) => closed.close(ended))
    await fails(
      `http://127.0.0.1:${port}/api/v1/setup/${token}`,
      new RegExp(`connection to port ${port} is refused`),
    )
  })

  test('a sign-in page of the network in between', async () => {
    answer = ['a page']
    await fails(link(), /is not the platform's/)
  })

  test('a proxy that passes no WebSocket', async () => {
    isWebSocketOpen = false
    await fails(link(), /WebSocket is refused \(HTTP 403\)/)
    expect(posts.some((path) => path.endsWith('/done'))).toBe(false)
  })

  test('a proxy of this computer, without its password', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://user:hidden@proxy.plant:3128')
    await fails(`http://nowhere.invalid/api/v1/setup/${token}`, /has the proxy proxy\.plant:3128, which/)
    expect(said.join('\n')).not.toContain('hidden')
  })

  test('a link that is over', async () => {
    answer = { hwcode: 420, error: { code: 'SETUP_LINK_OVER', message: 'The link is over.' } }
    await fails(link(), /The platform refuses: The link is over\./)
  })

  test('another address than a link', async () => {
    await fails('http://127.0.0.1/elsewhere', /not a setup link/)
    expect(takes).toBe(0)
  })
})

test('speaks the language of the computer', async () => {
  vi.stubEnv('LC_ALL', 'zh_CN.UTF-8')
  expect(await run('nothing')).toEqual({ exitCode: 1 })
  expect(said).toEqual(['这不是安装链接：nothing'])
})

test('takes the private networks of the computer, and none of its containers', () => {
  const one = (address: string, netmask: string, internal = false) =>
    ({ address, netmask, internal, family: 'IPv4' }) as NetworkInterfaceInfo
  expect(
    ownNetworks({
      lo: [one('127.0.0.1', '255.0.0.0', true)],
      eth0: [one('192.168.7.20', '255.255.255.0'), one('203.0.113.5', '255.255.255.0')],
      eth1: [one('10.4.77.1', '255.255.252.0')],
      docker0: [one('172.17.0.1', '255.255.0.0')],
    }),
  ).toEqual(['192.168.7.0/24', '10.4.76.0/22'])
})
