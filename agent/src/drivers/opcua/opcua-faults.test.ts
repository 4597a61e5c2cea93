import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../clock.ts'
import { buildOpcUaTag, openTestDriver } from '../../testing/opcua-client.ts'
import type { FaultyWay, TestOpcUaServer } from '../../testing/opcua-server.ts'
import { openFaultyWay, startOpcUaServer } from '../../testing/opcua-server.ts'

let server: TestOpcUaServer
beforeAll(async () => {
  server = await startOpcUaServer({ variables: { Level: ['Double', 1], Count: ['Int32', 0] } })
})
afterAll(() => server.close())

async function openWay(): Promise<FaultyWay & { url: string }> {
  const way = await openFaultyWay(server.port)
  onTestFinished(() => way.close())
  return Object.assign(way, { url: `opc.tcp://127.0.0.1:${way.port}` })
}

/** A clock with shortened pauses: retries that take a minute come immediately. */
const hurriedClock = (shortest: number) => ({
  ...systemClock,
  after: (ms: number, run: () => void) => systemClock.after(ms >= shortest ? 30 : ms, run),
})

test('without a server values are bad immediately, with the reason, and a later server is found', async () => {
  const way = await openWay()
  way.cut(true)
  const { driver, until, untilLog } = await openTestDriver({ url: way.url, tags: [buildOpcUaTag('Level')] })
  expect(await driver.poll()).toEqual([{ index: 0, value: null, quality: 0 }])
  expect((await untilLog('controller.away')).reason).toMatch(/closed the connection|nobody listens/)
  await expect(driver.write(0, 1)).rejects.toThrow('the controller is away')
  way.open()
  await until(({ quality }) => quality === 192)
  await untilLog('controller.back')
})

test('a server that accepts the connection and stays silent does not hang a poll', async () => {
  const way = await openWay()
  way.setSilent(true)
  const { driver, untilLog } = await openTestDriver({
    url: way.url,
    tags: [buildOpcUaTag('Level')],
    timeoutMs: 200,
  })
  expect(await driver.poll()).toEqual([{ index: 0, value: null, quality: 0 }])
  await untilLog('controller.away')
})

test('a server that falls silent is noticed: its values turn bad, and come back with it', async () => {
  const way = await openWay()
  const { driver, until, told } = await openTestDriver({
    url: way.url,
    tags: [buildOpcUaTag('Level')],
    timeoutMs: 1_000,
  })
  await driver.poll()
  way.setSilent(true)
  await until(({ quality }) => quality === 0)
  expect(await driver.poll()).toEqual([{ index: 0, value: null, quality: 0 }])
  told.length = 0
  way.setSilent(false)
  way.cut()
  await until(({ quality }) => quality === 192)
})

test('a slow server is slow and not away', async () => {
  const way = await openWay()
  way.delayMs = 60
  const { driver, until, lines } = await openTestDriver({ url: way.url, tags: [buildOpcUaTag('Level')] })
  expect(await driver.poll()).toMatchObject([{ quality: 192 }])
  server.set('Level', 12)
  await until(({ value }) => value === 12)
  expect(lines.map(({ event }) => event)).not.toContain('controller.away')
})

test('values that changed while the connection was broken come late with their own times, each once', async () => {
  const way = await openWay()
  const { driver, until, told, lines } = await openTestDriver({
    url: way.url,
    tags: [buildOpcUaTag('Count')],
    pollIntervalMs: 100,
  })
  await driver.poll()
  way.cut(true)
  await until(({ quality }) => quality === 0)
  const begin = told.length
  for (const value of [101, 102, 103]) {
    server.set('Count', value)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  way.open()
  await until(({ value }) => value === 103)
  const values = told.slice(begin).filter(({ at }) => at !== undefined)
  expect(values.map(({ value }) => value)).toEqual([101, 102, 103])
  const [first, , last] = values.map(({ at = 0 }) => at)
  expect((last ?? 0) - (first ?? 0)).toBeGreaterThan(400)
  expect(lines.filter(({ event }) => event === 'controller.back')).toHaveLength(1)
})

test('after a restart of the server its nodes are followed again, under the new namespace number', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-opcua-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const old = await startOpcUaServer({ folder, variables: { Speed: ['Double', 3] } })
  const { driver, until, told } = await openTestDriver({
    url: old.url,
    security: 'SignAndEncrypt',
    trust: { kind: 'first' },
    tags: [buildOpcUaTag('Speed')],
  })
  expect(await driver.poll()).toMatchObject([{ value: 3 }])
  await old.close()
  await until(({ quality }) => quality === 0)
  told.length = 0
  const next = await startOpcUaServer({
    folder,
    port: old.port,
    firstNamespaces: ['urn:another'],
    variables: { Speed: ['Double', 4] },
  })
  onTestFinished(() => next.close())
  await until(({ value }) => value === 4)
})

test('a node that is renamed is bad with a reason, and found again when it is back; the others go on', async () => {
  server.add('Moved', 'Double', 5)
  const tags = [buildOpcUaTag('Moved'), buildOpcUaTag('Level'), buildOpcUaTag('Never')]
  const { driver, until, lines, told } = await openTestDriver(
    { url: server.url, tags },
    { clock: hurriedClock(60_000) },
  )
  expect((await driver.poll()).map(({ quality }) => quality)).toEqual([192, 192, 0])
  const reasonOf = (tag: string) =>
    lines.filter((line) => line.event === 'opcua.nodeRefused' && line.tag === tag)
  expect(reasonOf('Never')[0]?.reason).toContain('BadNodeIdUnknown')
  server.remove('Moved')
  await until(({ index, quality }) => index === 0 && quality === 0)
  expect(reasonOf('Moved')[0]?.reason).toContain('it was renamed or deleted')
  await expect(driver.write(0, 1)).rejects.toThrow(/BadNodeIdUnknown/)
  told.length = 0
  server.add('Moved', 'Double', 6)
  expect(await until(({ index, quality }) => index === 0 && quality === 192)).toMatchObject({ value: 6 })
  server.set('Level', 77)
  await until(({ value }) => value === 77)
  // Requested repeatedly, logged once.
  expect(reasonOf('Never')).toHaveLength(1)
})

test('a server that takes fewer nodes in a request than it is asked for is followed', async () => {
  const limits = server.server.engine.serverCapabilities.operationLimits
  const before = limits.maxMonitoredItemsPerCall
  onTestFinished(() => {
    limits.maxMonitoredItemsPerCall = before
  })
  limits.maxMonitoredItemsPerCall = 2
  const tags = ['Level', 'Count', 'Never', 'Level', 'Count'].map((name, index) =>
    buildOpcUaTag(name, { name: `${name} ${index}` }),
  )
  const { driver } = await openTestDriver({ url: server.url, tags })
  expect((await driver.poll()).map(({ quality }) => quality)).toEqual([192, 192, 0, 192, 192])
})

test('a namespace that the server lacks is reported by its URI', async () => {
  const nodeId = { namespace: 'urn:nowhere', identifier: 's=x' }
  const { driver, untilLog } = await openTestDriver({
    url: server.url,
    tags: [buildOpcUaTag('x', { nodeId })],
  })
  expect(await driver.poll()).toEqual([{ index: 0, value: null, quality: 0 }])
  expect((await untilLog('opcua.nodeRefused')).reason).toBe('the server has no namespace urn:nowhere')
})

test('the driver ends, while it connects, while it works and while the server is silent', async () => {
  const way = await openWay()
  for (const silent of [false, true]) {
    const { driver } = await openTestDriver({ url: way.url, tags: [buildOpcUaTag('Level')] })
    if (silent) {
      await driver.poll()
      way.setSilent(true)
    }
    const beganAt = performance.now()
    await driver.close()
    expect(performance.now() - beganAt).toBeLessThan(10_000)
  }
})

test('close while it opens, and replaced while it reads: no connection stays behind, and the next driver reads', async () => {
  const way = await openWay()
  const open = () => openTestDriver({ url: way.url, tags: [buildOpcUaTag('Level')] })
  const opening = await open()
  await vi.waitFor(() => expect(way.connections()).toBeGreaterThan(0), 10_000)
  await opening.driver.close()
  const former = await open()
  await former.driver.poll()
  const poll = former.driver.poll()
  const [next] = await Promise.all([open(), former.driver.close()])
  await poll
  expect(await next.driver.poll()).toMatchObject([{ quality: 192 }])
  await next.driver.close()
  await vi.waitFor(() => expect(way.connections()).toBe(0), 10_000)
})
