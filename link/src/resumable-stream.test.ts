import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { encodePortFrame, type PortFrame, PortFrameReader } from './port-frames.ts'
import { portLimits } from './ports.ts'
import { ResumableStream, type StreamLine } from './resumable-stream.ts'

const seeds = process.env.BUSBAR_TEST_LONG ? 200 : 20
const opened: { destroy(): void }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.destroy()
})

/** The same numbers for the same seed, from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Both ends of a TCP connection. */
async function openPair(): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const other = await accepted
  server.close()
  opened.push(socket, other)
  return [socket, other]
}

/** A tool and a controller, each with the end of the stream that serves it, and lines between those ends. */
async function openStream(onBroken: (error: Error) => void = () => undefined) {
  const [tool, toolSide] = await openPair()
  const [controller, controllerSide] = await openPair()
  let done = 0
  const events = {
    onDone() {
      done++
    },
    onBroken,
  }
  const near = new ResumableStream(toolSide, events, () => performance.now())
  const far = new ResumableStream(controllerSide, events, () => performance.now())
  let isUp = false
  /** Frames on their way are lost with the line. */
  const wires: Wire[] = []
  class Wire implements StreamLine {
    readonly to: ResumableStream
    readonly #reader = new PortFrameReader()
    readonly #frames: PortFrame[] = []
    constructor(to: ResumableStream) {
      this.to = to
    }
    data(bytes: Buffer) {
      this.#frames.push({ kind: 'data', bytes })
      return true
    }
    got(position: number) {
      this.#frames.push({ kind: 'got', position })
    }
    end() {
      this.#frames.push({ kind: 'end' })
    }
    deliver(random: () => number) {
      const frame = this.#frames.shift()
      if (!frame) return
      const bytes = Buffer.concat(encodePortFrame(frame))
      const cut = Math.floor(random() * bytes.length)
      for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)])
        for (const read of this.#reader.read(piece)) {
          if (read.kind === 'data') this.to.receive(Buffer.from(read.bytes))
          else if (read.kind === 'got') this.to.receiveGot(read.position)
          else if (read.kind === 'end') this.to.receiveEnd()
        }
    }
  }
  return {
    tool,
    controller,
    near,
    far,
    isDone: () => done === 2,
    cut() {
      if (!isUp) return
      isUp = false
      near.detach()
      far.detach()
      wires.length = 0
    },
    join() {
      if (isUp) return true
      isUp = true
      const [there, back] = [new Wire(far), new Wire(near)]
      wires.push(there, back)
      const positions = [far.received, near.received] as const
      return near.attach(there, positions[0]) && far.attach(back, positions[1])
    },
    deliver(random: () => number) {
      for (const wire of wires) wire.deliver(random)
    },
  }
}

async function hashOf(socket: Socket): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of socket.iterator({ destroyOnReturn: false })) hash.update(piece)
  return hash.digest('hex')
}

test.for(Array.from({ length: seeds }, (_, seed) => seed))(
  'seed %i: a stream over lines that break loses, doubles and moves no byte',
  async (seed) => {
    const random = randomOf(seed)
    const stream = await openStream()
    const sent = [randomBytes(600_000 * random()), randomBytes(600_000 * random())] as const
    const [atController, atTool] = [hashOf(stream.controller), hashOf(stream.tool)]
    stream.tool.end(sent[0])
    stream.controller.end(sent[1])
    const deadline = performance.now() + 30_000
    while (!stream.isDone() && performance.now() < deadline) {
      expect(stream.join()).toBe(true)
      for (let step = 0; step < 40 * random(); step++) {
        stream.deliver(random)
        if (random() < 0.3) await turn()
      }
      await turn()
      if (random() < 0.3) stream.cut()
    }
    expect(stream.isDone()).toBe(true)
    expect([await atController, await atTool]).toEqual(
      sent.map((bytes) => createHash('sha256').update(bytes).digest('hex')),
    )
  },
)

test('a connection is read no further than its window while its line is away', async () => {
  const { tool, near } = await openStream()
  const bytes = Buffer.alloc(8 * 1024 * 1024)
  let taken = 0
  tool.write(bytes, () => {
    taken = bytes.length
  })
  let last = -1
  const readNow = () => {
    const before = last
    last = tool.bytesWritten - tool.writableLength
    return before === last
  }
  await expect.poll(readNow, { interval: 100 }).toBe(true)
  expect(taken).toBe(0)
  // Position of more than was read: nothing of it can have been sent.
  expect(near.attach(new Nowhere(), bytes.length)).toBe(false)
})

test('a reader that was quick and stops is not sent more than its window, whatever the pieces', async () => {
  const pieces = Array.from({ length: 400 }, () => Buffer.alloc(60_001))
  const sender = new Duplex({
    read() {
      this.push(pieces.pop() ?? null)
    },
    write: (_bytes, _encoding, taken) => taken(),
  })
  let got = 0
  let isReading = true
  let goOn = (): void => undefined
  const reader = new Duplex({
    read: () => undefined,
    write(bytes: Buffer, _encoding, taken) {
      got += bytes.length
      if (isReading) setImmediate(taken)
      else goOn = taken
    },
  })
  opened.push(sender, reader)
  const broken: string[] = []
  const events = { onDone: () => undefined, onBroken: (error: Error) => void broken.push(error.message) }
  // The clock stands: each window is taken at once, and grows.
  const near = new ResumableStream(sender, events, () => 0)
  const far = new ResumableStream(reader, events, () => 0)
  const lineTo = (to: ResumableStream): StreamLine => ({
    data(bytes) {
      to.receive(Buffer.from(bytes))
      return true
    },
    got: (position) => to.receiveGot(position),
    end: () => to.receiveEnd(),
  })
  far.attach(lineTo(near), 0)
  near.attach(lineTo(far), 0)
  while (got < 4 * portLimits.windowBytesMax && broken.length === 0) await turn()
  expect(broken).toEqual([])
  isReading = false
  for (let before = -1; before !== far.received; await turn()) before = far.received
  expect(broken).toEqual([])
  isReading = true
  goOn()
  await expect.poll(() => got).toBe(400 * 60_001)
  expect(broken).toEqual([])
})

class Nowhere implements StreamLine {
  readonly sent: Buffer[] = []
  data(bytes: Buffer) {
    this.sent.push(bytes)
    return true
  }
  got() {}
  end() {}
}

test('positions that cannot be are refused, and break the stream', async () => {
  const broken: string[] = []
  const { tool, near } = await openStream((error) => broken.push(error.message))
  const line = new Nowhere()
  tool.write('read me')
  expect(near.attach(line, 0)).toBe(true)
  await expect.poll(() => Buffer.concat(line.sent).toString()).toBe('read me')
  near.receiveGot(4)
  near.detach()
  expect(near.attach(line, 3)).toBe(false)
  expect(near.attach(line, 8)).toBe(false)
  expect(near.attach(line, 5)).toBe(true)
  expect(Buffer.concat(line.sent).toString()).toBe('read meme')
  near.receiveGot(8)
  expect(broken).toEqual(['more was taken than sent'])
  expect(near.isOver).toBe(true)
})

test('a peer that sends more than its window, or after its end, is cut off', async () => {
  for (const send of [
    (near: ResumableStream) => {
      for (let sent = 0; sent <= portLimits.windowBytesMax; sent += 65_536) near.receive(Buffer.alloc(65_536))
    },
    (near: ResumableStream) => {
      near.receiveEnd()
      near.receive(Buffer.from('late'))
    },
  ]) {
    const broken: string[] = []
    const { tool, near } = await openStream((error) => broken.push(error.message))
    tool.pause()
    send(near)
    expect(broken).toHaveLength(1)
    await expect
      .poll(() => tool.closed || tool.readableEnded || tool.destroyed || tool.resume() === null)
      .toBe(true)
  }
})

test('bytes that are not a frame are refused', () => {
  const wrong = [
    '0900000000',
    '0000000000',
    '0000010001',
    '0100000007',
    '0200000001',
    '01000000080020000000000000',
  ]
  for (const hex of wrong) {
    expect(() => new PortFrameReader().read(Buffer.from(hex, 'hex')), hex).toThrow('a stream to a port')
  }
  const frames: PortFrame[] = [
    { kind: 'data', bytes: Buffer.from('x') },
    { kind: 'got', position: Number.MAX_SAFE_INTEGER },
    { kind: 'counts', counts: { reads: 1, writes: 2, refused: 3 } },
    { kind: 'end' },
    { kind: 'over' },
    { kind: 'over', reason: 'unclear' },
  ]
  const all = Buffer.concat(frames.flatMap(encodePortFrame))
  for (let cut = 1; cut < all.length; cut++) {
    const reader = new PortFrameReader()
    expect([...reader.read(all.subarray(0, cut)), ...reader.read(all.subarray(cut))]).toEqual(frames)
  }
})
