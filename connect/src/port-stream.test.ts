import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Api } from './api.ts'
import { type ConnectEvent, systemClock } from './model.ts'
import type { StreamDeps } from './port-stream.ts'
import { PortVisit } from './port-visit.ts'
import { Target } from './target.ts'
import { FakePlatform } from './testing/fake-platform.ts'

const seeds = process.env.BUSBAR_TEST_LONG ? 100 : 20
const openVisit = 'POST /api/v1/visits/tcp'

let controller: Server
let controllers: Socket[]
let platform: FakePlatform
let events: ConnectEvent[]
const targets: Target[] = []
const tools: Socket[] = []

beforeEach(async () => {
  controllers = []
  events = []
  controller = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    controllers.push(socket)
  })
  await new Promise<void>((resolve) => controller.listen(0, '127.0.0.1', resolve))
  platform = await FakePlatform.start((controller.address() as AddressInfo).port)
})
afterEach(async () => {
  for (const target of targets.splice(0)) target.close()
  for (const socket of [...tools.splice(0), ...controllers]) socket.destroy()
  controller.close()
  await platform.stop()
})

async function openTarget(deps: Partial<StreamDeps> = {}): Promise<Target> {
  const api = new Api({ server: platform.url, lang: 'en', token: 'of-the-program' })
  const visit = await PortVisit.open(api, { machineId: 1, terminal: 't', mode: 'rw' }, systemClock)
  const target = await Target.open({
    name: 'plc',
    kind: 'modbus',
    address: '127.0.0.1',
    localPort: undefined,
    deps: { visit, clock: systemClock, ...deps },
    countStreams: () => targets.reduce((sum, { streams }) => sum + streams, 0),
    tell: (event) => void events.push(event),
  })
  targets.push(target)
  return target
}

function openTool(target: Target): Socket {
  const port = Number(target.localAddress.split(':').at(-1))
  const tool = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  tool.on('error', () => undefined)
  tools.push(tool)
  return tool
}

const untilTold = (event: ConnectEvent['event'], count = 1) =>
  expect.poll(() => events.filter((one) => one.event === event).length).toBeGreaterThanOrEqual(count)
const closings = () => events.filter((one) => one.event === 'closed')

/** Everything that comes, and the other direction stays open. */
async function buffer(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of socket.iterator({ destroyOnReturn: false })) pieces.push(piece)
  return Buffer.concat(pieces)
}
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Until the tool sees that its connection is over. */
async function untilClosed(tool: Socket): Promise<void> {
  tool.resume()
  if (!tool.closed) await new Promise((resolve) => tool.once('close', resolve))
}

/** The same numbers for the same seed, from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The controller's side of the tool's connection. */
async function controllerSide(): Promise<Socket> {
  await expect.poll(() => controllers.length).toBeGreaterThan(0)
  return controllers.at(-1) as Socket
}

describe('lines that are cut under load', () => {
  test.for(Array.from({ length: seeds }, (_, seed) => seed))('seed %i: no byte is lost', async (seed) => {
    const random = randomOf(seed)
    const target = await openTarget()
    const tool = openTool(target)
    const [there, back] = [randomBytes(600_000), randomBytes(600_000)]
    const far = await controllerSide()
    const atController = buffer(far)
    const atTool = buffer(tool)
    let isOver = false
    const cutting = (async () => {
      for (let cuts = 0; cuts < 6 && !isOver; cuts++) {
        await sleep(random() * 30)
        platform.cut()
        await expect.poll(() => isOver || platform.lines > 0).toBe(true)
      }
    })()
    for (const [socket, bytes] of [
      [tool, there],
      [far, back],
    ] as const) {
      const middle = Math.floor(random() * bytes.length)
      socket.write(bytes.subarray(0, middle))
      socket.end(bytes.subarray(middle))
    }
    const [gotThere, gotBack] = await Promise.all([atController, atTool])
    isOver = true
    await cutting
    expect(hash(gotThere)).toBe(hash(there))
    expect(hash(gotBack)).toBe(hash(back))
    expect(platform.opened).toBe(1)
    await expect.poll(closings).toMatchObject([{ reason: 'done', bytesIn: 600_000, bytesOut: 600_000 }])
  })
})

test('a cut line is told, and its return', async () => {
  const tool = openTool(await openTarget())
  await untilTold('opened')
  platform.cut()
  await untilTold('lineBack')
  tool.write('ping')
  const [bytes] = await once(await controllerSide(), 'data')
  expect(String(bytes)).toBe('ping')
  expect(events.map(({ event }) => event)).toEqual(['opened', 'lineLost', 'lineBack'])
})

test('half-closed, the other direction goes on', async () => {
  const tool = openTool(await openTarget())
  tool.end('question')
  const far = await controllerSide()
  expect(String(await buffer(far))).toBe('question')
  far.end('answer')
  expect(String(await buffer(tool))).toBe('answer')
  await expect.poll(closings).toMatchObject([{ reason: 'done' }])
})

test('a tool whose connection breaks ends the stream at the other end, too', async () => {
  const tool = openTool(await openTarget())
  const far = await controllerSide()
  await untilTold('opened')
  const closed = once(far.resume(), 'end')
  tool.resetAndDestroy()
  await expect.poll(() => platform.texts).toContain('{"close":true}')
  await closed
  await expect.poll(closings).toMatchObject([{ reason: 'toolBroke' }])
})

test('a controller that never reads makes the tool wait, not the memory grow', async () => {
  const tool = openTool(await openTarget())
  const far = await controllerSide()
  far.pause()
  const piece = randomBytes(64 * 1024)
  let written = 0
  while (written < 64 * 1024 * 1024) {
    written += piece.length
    if (!tool.write(piece)) {
      const isTaken = await Promise.race([
        once(tool, 'drain').then(() => true),
        sleep(1_000).then(() => false),
      ])
      if (!isTaken) break
    }
  }
  expect(written).toBeLessThan(32 * 1024 * 1024)
})

describe('a refused line', () => {
  test('of an old ticket asks once for a fresh one', async () => {
    const target = await openTarget()
    platform.forgetTickets()
    openTool(target)
    await untilTold('opened')
    expect(platform.countCalls(openVisit)).toBe(2)
  })

  test('whose fresh ticket is refused too ends the connection', async () => {
    const target = await openTarget()
    platform.refuse(4401, 'ticket', 100)
    const tool = openTool(target)
    await untilClosed(tool)
    expect(closings()).toMatchObject([{ reason: 'ticket' }])
    expect(platform.countCalls(openVisit)).toBe(2)
    expect(target.end).toBeUndefined()
  })

  test.each([
    ['rightLost', 'rightLost'],
    ['idle', 'idle'],
    ['notAllowed', 'notAllowed'],
    ['lookOnly', 'lookOnly'],
    ['a reason of later', 'other'],
  ])('4403 %s ends the target with the reason', async (reason, told) => {
    const target = await openTarget()
    const tool = openTool(target)
    await untilTold('opened')
    platform.closeLines(4403, reason)
    await untilClosed(tool)
    expect(target.end?.reason).toBe(told)
    expect(events.filter(({ event }) => event === 'ended')).toHaveLength(1)
    const late = openTool(target)
    await untilClosed(late)
    expect(platform.opened).toBe(1)
  })

  test.each([
    [4404, 'ended'],
    [4410, 'gone'],
    [4409, 'tooMany'],
    [4502, 'unreachable'],
    [4400, 'wrongMessage'],
  ])('%i closes the tool’s connection, and says why', async (code, told) => {
    const target = await openTarget()
    platform.refuse(code, 'why')
    await untilClosed(openTool(target))
    if (told === 'ended') expect(target.end?.reason).toBe('noPort')
    else {
      expect(closings()).toMatchObject([{ reason: told }])
      openTool(target)
      await untilTold('opened')
    }
  })

  test('4503 is tried again until the machine is back', async () => {
    const target = await openTarget()
    platform.refuse(4503, 'away', 3)
    const tool = openTool(target)
    await untilTold('opened')
    tool.end('late')
    expect(String(await buffer(await controllerSide()))).toBe('late')
  })

  test('while the machine is away, a refused call for a ticket is tried again', async () => {
    const target = await openTarget()
    const tool = openTool(target)
    await untilTold('opened')
    let calls = 0
    platform.answers.set(openVisit, () =>
      ++calls > 2
        ? platform.openVisit()
        : { fails: { http: 200, code: 'ClOUD_VISIT_TIMEOUT', message: 'The device didn’t respond in time' } },
    )
    platform.forgetTickets()
    platform.cut()
    await untilTold('lineBack')
    expect(calls).toBeGreaterThan(2)
    tool.end('late')
    expect(String(await buffer(await controllerSide()))).toBe('late')
  })

  test('without an end, the tool’s connection ends when its time without a line is over', async () => {
    const target = await openTarget({ keepMs: 500 })
    platform.refuse(4503, 'away', 1_000)
    await untilClosed(openTool(target))
    expect(closings()).toMatchObject([{ reason: 'lineLost' }])
  })

  test('a stream that the agent does not keep any more ends at the tool, too', async () => {
    const tool = openTool(await openTarget())
    await untilTold('opened')
    platform.streams.clear()
    platform.cut()
    await untilClosed(tool)
    expect(closings()).toMatchObject([{ reason: 'gone' }])
    expect(platform.opened).toBe(1)
  })

  test('a refused call for a ticket ends the target in the platform’s words', async () => {
    const target = await openTarget()
    platform.answers.set(openVisit, () => ({
      fails: { http: 200, code: 'GENERAL_USER', message: 'You have no access' },
    }))
    platform.forgetTickets()
    await untilClosed(openTool(target))
    expect(target.end).toEqual({ reason: 'other', detail: 'You have no access' })
  })
})

test('a line without a sign of life is replaced', async () => {
  await platform.stop()
  platform = await FakePlatform.start((controller.address() as AddressInfo).port, { answersPings: false })
  openTool(await openTarget({ timing: { pingMs: 20, silentMs: 200 } }))
  await untilTold('lineBack')
  expect(platform.opened).toBe(1)
})

test.each(['encrypted', 'unclear'])('a stream that the agent ends as %s ends alone', async (reason) => {
  const target = await openTarget()
  const tool = openTool(target)
  await untilTold('opened')
  platform.closeLines(4403, reason)
  await untilClosed(tool)
  expect(closings()).toMatchObject([{ reason }])
  expect(target.end).toBeUndefined()
})

test('a controller that breaks off after its last words has them reach the tool', async () => {
  const target = await openTarget()
  const tool = openTool(target)
  await untilTold('opened')
  const far = await controllerSide()
  const last = randomBytes(300_000)
  const atTool = buffer(tool)
  tool.write('question')
  await once(far, 'data')
  far.write(last)
  await expect.poll(() => target.bytes.in).toBe(last.length)
  platform.closeLines(1000, 'over')
  expect(hash(await atTool)).toBe(hash(last))
  expect(closings()).toMatchObject([{ reason: 'gone' }])
})

test('a message that nobody can read breaks the line, and another goes on', async () => {
  openTool(await openTarget())
  await untilTold('opened')
  platform.say({ got: -1 })
  await untilTold('lineBack')
  platform.say({ warn: { reason: 'idle', at: 1_000 } })
  await untilTold('warning')
  platform.say({ later: 'a word of a later platform' })
  expect(closings()).toEqual([])
})

test('eight connections at a time, and no more', async () => {
  const target = await openTarget()
  const eight = Array.from({ length: 8 }, () => openTool(target))
  await untilTold('opened', 8)
  await untilClosed(openTool(target))
  expect(closings()).toMatchObject([{ reason: 'tooMany' }])
  for (const tool of eight) expect(tool.destroyed).toBe(false)
})
