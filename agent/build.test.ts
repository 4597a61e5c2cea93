import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect as connectSocket, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { SparkplugPayload } from '@busbar/link'
import { decodeSparkplugPayload, metricValue, propertyValue } from '@busbar/link'
import { connect } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../testkit/src/free-port.ts'
import { calmMsOf } from '../testkit/src/until.ts'
import { buildAgent } from './build.mjs'
import type { ModbusDevice } from './src/testing/modbus-device.ts'
import { startModbusDevice } from './src/testing/modbus-device.ts'
import { startOpcUaServer, testNamespace } from './src/testing/opcua-server.ts'
import { startSnap7 } from './src/testing/plc/snap7.ts'
import { openPair, PortProgram, visitHeaders } from './src/testing/port-program.ts'
import { startTunnelPlatform } from './src/testing/tunnel-platform.ts'

const code = '1000000000000000001'
const secret = 'secret-of-the-machine'
/** Of the agent's file without the files of its drivers. */
const baseKilobytesMax = 780

let agentPath: string
let folder: string
let brokerPort: number
let webSocketPort: number
let device: ModbusDevice
const children = new Set<ChildProcess>()

function findProgram(name: string, folders: string[]): string {
  const found = folders
    .map((place) => join(place, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
  if (found === undefined) throw new Error(`this test needs ${name}: looked in ${folders.join(', ')}`)
  return found
}

const searchPath = (process.env.PATH ?? '').split(delimiter)

/** Every Node on this machine, one of each major version: the agent is for 20 and later. */
function nodePrograms(): [string, string][] {
  const programs = new Map<string, string>()
  for (const place of [...searchPath, '/usr/local/bin', '/usr/bin']) {
    try {
      const path = join(place, 'node')
      const version = execFileSync(path, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim()
      const major = /^v(\d+)/.exec(version)?.[1] ?? ''
      if (Number(major) >= 20 && !programs.has(major)) programs.set(major, path)
    } catch {
      // No node here.
    }
  }
  return [...programs]
}

beforeAll(async () => {
  agentPath = await buildAgent()
  folder = await mkdtemp(join(tmpdir(), 'busbar-agent-'))
  device = await startModbusDevice()
  brokerPort = await findFreePort()
  const configPath = join(folder, 'mosquitto.conf')
  const user = process.getuid?.() === 0 ? 'user root\n' : ''
  webSocketPort = await findFreePort()
  const listeners = `listener ${brokerPort} 127.0.0.1\nlistener ${webSocketPort} 127.0.0.1\nprotocol websockets\n`
  await writeFile(configPath, `${listeners}allow_anonymous true\npersistence false\n${user}`)
  start(findProgram('mosquitto', [...searchPath, '/usr/sbin', '/usr/local/sbin']), ['-c', configPath])
  await until(() => answers(brokerPort))
})

afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await device.close()
  await rm(folder, { recursive: true })
})

function start(program: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const ipc = env.BUSBAR_CHILD === '1' ? (['ipc'] as const) : []
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe', ...ipc],
    env: { ...process.env, ...env },
  })
  children.add(child)
  return child
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** A stranger at the broker who hears everything a machine says. */
async function listen() {
  const heard: { type: string; payload: SparkplugPayload }[] = []
  const client = connect(`mqtt://127.0.0.1:${brokerPort}`)
  client.on('message', (topic, payload) => {
    heard.push({ type: topic.split('/')[2] ?? '', payload: decodeSparkplugPayload(payload) })
  })
  await client.subscribeAsync(`spBv1.0/+/+/${code}`, { qos: 1 })
  return { heard, types: () => heard.map((message) => message.type), close: () => client.endAsync() }
}

async function writeConfig(name: string, yaml: string, url?: string, tunnel?: string): Promise<string> {
  const path = join(folder, name)
  const own = `code: "${code}", secret: ${secret}${tunnel === undefined ? '' : `, tunnel: "${tunnel}"`}`
  const cloud = `cloud: { url: "${url ?? `mqtt://127.0.0.1:${brokerPort}`}", ${own} }\n`
  // Each agent has its own folder, so that it does not send what a killed one left.
  await writeFile(path, `${cloud}${yaml}\noutbox: { folder: ${name}.outbox }\n`)
  return path
}

const modbusYaml = () => `connections:
  - driver: modbus-tcp
    host: 127.0.0.1
    port: ${device.port}
    pollIntervalMs: 50
    tags:
      - { name: temperature, group: oven, address: "holding:0", type: int16, factor: 0.1 }
`

test.each(nodePrograms())(
  'Node %s: a register of a real PLC changes, dies and ends',
  async (_major, node) => {
    device.memory.holding.set(0, 215)
    const listener = await listen()
    const child = start(node, [agentPath, await writeConfig('modbus.yaml', modbusYaml())])
    let output = ''
    child.stdout?.on('data', (bytes) => {
      output += bytes
    })
    await until(() => listener.types().includes('NBIRTH'))
    const birth = listener.heard[0]?.payload.metrics.find((metric) => metric.name === 'oven/temperature')
    expect(birth && metricValue(birth, birth.datatype)).toBe(21.5)
    expect(propertyValue(birth?.properties?.Quality)).toBe(192)

    device.memory.holding.set(0, 0x10000 - 40)
    // Samples read before the line was up come first, as history.
    const changed = () =>
      listener.heard
        .filter(({ type }) => type === 'NDATA')
        .flatMap(({ payload }) => payload.metrics)
        .find(({ raw }) => raw?.kind === 'double' && raw.value === -4)
    await until(() => changed() !== undefined)
    expect(changed()?.alias).toBe(birth?.alias)

    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await calmMsOf(() => exit)).toBeLessThan(3_000)
    expect((await exit)[0]).toBe(0)
    await until(() => listener.types().includes('NDEATH'))
    expect(listener.types().filter((type) => type === 'NDEATH')).toHaveLength(1)
    expect(output).toContain('"event":"uplink.online"')
    expect(output).not.toContain(secret)
    await listener.close()
  },
)

test.each(nodePrograms())(
  'Node %s: an OPC UA server over an encrypted channel, by the file of its driver',
  async (_major, node) => {
    const server = await startOpcUaServer({ variables: { Level: ['Double', 1.5], Count: ['Int64', [0, 7]] } })
    const listener = await listen()
    const nodeIdOf = (name: string) => `"nsu=${testNamespace};s=${name}"`
    const yaml = `connections:
  - driver: opcua
    url: ${server.url}
    security: SignAndEncrypt
    trust: first
    pollIntervalMs: 50
    tags:
      - { name: level, nodeId: ${nodeIdOf('Level')} }
      - { name: count, nodeId: ${nodeIdOf('Count')} }
`
    const child = start(node, [agentPath, await writeConfig(`opcua-${_major}.yaml`, yaml)])
    let output = ''
    child.stdout?.on('data', (bytes) => {
      output += bytes
    })
    const told = (name: string) =>
      listener.heard
        .flatMap(({ payload }) => payload.metrics)
        .filter((metric) => metric.name === name && metric.raw?.kind !== 'null')
        .map((metric) => metricValue(metric, metric.datatype))
    await until(() => told('level').includes(1.5) && told('count').includes(7n))
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    expect(output).toContain('"event":"opcua.serverTrusted"')
    // The library does not write between the lines of the agent's log.
    for (const line of output.trimEnd().split('\n')) JSON.parse(line)
    await listener.close()
    await server.close()
  },
)

test.each(nodePrograms())('Node %s: an S7 controller, by the file of its driver', async (_major, node) => {
  const server = await startSnap7({ blocks: { 10: 64 } })
  await server.set('DB', 10, 0, Buffer.from('41ac00000402ced2', 'hex'))
  const listener = await listen()
  const yaml = `connections:
  - driver: s7
    host: 127.0.0.1
    port: ${server.port}
    slot: 2
    textEncoding: gbk
    pollIntervalMs: 50
    tags:
      - { name: level, address: "DB10,REAL0" }
      - { name: recipe, address: "DB10,STRING4.4" }
`
  const child = start(node, [agentPath, await writeConfig(`s7-${_major}.yaml`, yaml)])
  const told = (name: string) =>
    listener.heard
      .flatMap(({ payload }) => payload.metrics)
      .filter((metric) => metric.name === name && metric.raw?.kind !== 'null')
      .map((metric) => metricValue(metric, metric.datatype))
  await until(() => told('level').includes(21.5) && told('recipe').includes('我'))
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(0)
  await listener.close()
  await server.stop()
})

test('over a WebSocket; killed, it is declared dead by the broker', async () => {
  const listener = await listen()
  const config = await writeConfig('web.yaml', modbusYaml(), `ws://127.0.0.1:${webSocketPort}/mqtt`)
  const child = start(process.execPath, [agentPath, config])
  await until(() => listener.types().includes('NBIRTH'))
  child.kill('SIGKILL')
  await until(() => listener.types().includes('NDEATH'))
  await listener.close()
})

test.each(nodePrograms())(
  'Node %s serves its page, and both transports of the tunnel work at the same time',
  async (_major, node) => {
    const platform = await startTunnelPlatform()
    const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket))
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
    const echoAddress = `127.0.0.1:${(echo.address() as AddressInfo).port}`
    const yaml = `${modbusYaml()}tcp: ["${echoAddress}"]\n`
    const config = await writeConfig(`tunnel-${_major}.yaml`, yaml, undefined, platform.url)
    const sessionOpened = platform.nextSession()
    const child = start(node, [agentPath, config])
    const session = await sessionOpened
    const visit = visitHeaders('1')
    const page = session.request({ ':path': '/', ':authority': 'page', ...visit })
    expect(await text(page)).toContain('<html')

    const [tool, toolSide] = await openPair()
    const program = new PortProgram(echoAddress, visit, toolSide)
    expect((await program.join(session))[':status']).toBe(200)
    const bytes = 32 * 1024 * 1024
    Readable.from(
      (function* () {
        for (let sent = 0; sent < bytes; sent += 65_536) yield Buffer.alloc(65_536, sent / 65_536)
      })(),
    ).pipe(tool)
    let got = 0
    for await (const chunk of tool) got += (chunk as Buffer).length
    expect(got).toBe(bytes)

    child.kill('SIGTERM')
    const [exitCode] = await once(child, 'exit')
    expect(exitCode).toBe(0)
    echo.close()
    await platform.close()
  },
)

test('as a child it ends when the channel to its parent closes', async () => {
  const listener = await listen()
  const config = await writeConfig('modbus.yaml', modbusYaml())
  const child = start(process.execPath, [agentPath, config], { BUSBAR_CHILD: '1' })
  await until(() => listener.types().includes('NBIRTH'))
  child.disconnect()
  const [exitCode] = await once(child, 'exit')
  expect(exitCode).toBe(0)
  await until(() => listener.types().includes('NDEATH'))
  await listener.close()
})

test.each(nodePrograms())('Node %s: the page is in the file, whole and small', async (_major, node) => {
  const port = await findFreePort()
  const config = await writeConfig('page.yaml', `page: { listen: "127.0.0.1:${port}" }\n${modbusYaml()}`)
  const child = start(node, [agentPath, config])
  await until(() => answers(port))
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}/${path}`)).text()
  const html = await get('')
  expect(html).toContain('src="page.js"')
  const [style, script] = await Promise.all([get('page.css'), get('page.js')])
  expect(Buffer.byteLength(html + style + script)).toBeLessThan(60_000)
  // One script without imports, and without syntax that Chromium 80 lacks.
  expect(script).not.toMatch(/\bimport\b|\?\?=|\|\|=|#\w+\s*[(=;]/)
  expect(JSON.parse(await get('api/page'))).toMatchObject({ code, mode: 'rw', connections: ['modbus-tcp 1'] })
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(0)
})

test('an error that nobody handles is one line of the log, and the agent ends in order with exit code 1', async () => {
  const failure = `process.once('SIGUSR2', () => setTimeout(() => { throw new Error('a timer failed') }))`
  const preload = `data:text/javascript,${encodeURIComponent(failure)}`
  const config = await writeConfig('failing.yaml', modbusYaml())
  const child = start(process.execPath, ['--import', preload, agentPath, config])
  const lines: { event: string; level: string; reason?: string }[] = []
  createInterface({ input: child.stdout as Readable }).on('line', (line) => lines.push(JSON.parse(line)))
  await until(() => lines.some(({ event }) => event === 'uplink.online'))
  child.kill('SIGUSR2')
  expect(await once(child, 'exit')).toEqual([1, null])
  const told = lines.filter(({ event }) => event === 'process.failed')
  expect(told).toMatchObject([{ level: 'error', reason: expect.stringContaining('a timer failed') }])
  expect(lines.map(({ event }) => event)).toContain('agent.stopping')
})

test('a wrong configuration is explained, with exit code 2', async () => {
  const config = await writeConfig('wrong.yaml', 'connections: [{ driver: modbus-tcp, tags: [] }]\n')
  const child = start(process.execPath, [agentPath, config])
  let errors = ''
  child.stderr?.on('data', (bytes) => {
    errors += bytes
  })
  const [exitCode] = await once(child, 'close')
  expect(exitCode).toBe(2)
  expect(errors).toBe('The configuration has 1 problem(s):\nline 2: connections[0].host is missing\n')
})

test('a missing driver file is reported at its connection; the agent itself stays one small file', async () => {
  const alone = join(folder, 'alone.mjs')
  await copyFile(agentPath, alone)
  expect((await stat(alone)).size).toBeLessThan(baseKilobytesMax * 1_000)
  const config = await writeConfig('s7.yaml', 'connections: [{ name: press, driver: s7, tags: [] }]\n')
  const child = start(process.execPath, [alone, config])
  let errors = ''
  child.stderr?.on('data', (bytes) => {
    errors += bytes
  })
  expect((await once(child, 'close'))[0]).toBe(2)
  const file = join(folder, 'drivers/s7.mjs')
  expect(errors).toContain(
    `line 2: connections[0].driver is "s7", whose file is missing: ${file} (needed by "press")`,
  )
})

test('200 tags a second fit in 110 MB of memory', async () => {
  const tags = Array.from({ length: 200 }, (_, index) => {
    device.memory.holding.set(1_000 + index, index)
    return `      - { name: t${index}, address: "holding:${1_000 + index}" }\n`
  })
  const yaml = modbusYaml().replace(/tags:\n[\s\S]*/, `tags:\n${tags.join('')}`)
  const listener = await listen()
  const child = start(process.execPath, [agentPath, await writeConfig('many.yaml', yaml)])
  // Twenty polls a second, each with 200 changes: 100 rounds are 100 seconds of work at one poll a second.
  for (let round = 0; round < 100; round++) {
    const count = listener.heard.length
    for (let index = 0; index < 200; index++)
      device.memory.holding.set(1_000 + index, (round * 7 + index) & 0xffff)
    await until(() => listener.heard.length > count)
  }
  // Beside other work on the same cores garbage is collected late: what counts is what stays.
  const residentKilobytes = async () =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1])
  expect(await residentKilobytes()).toBeGreaterThan(10_000)
  await expect.poll(residentKilobytes, { timeout: 20_000, interval: 500 }).toBeLessThan(110 * 1_024)
  child.kill('SIGTERM')
  await once(child, 'exit')
  await listener.close()
})
