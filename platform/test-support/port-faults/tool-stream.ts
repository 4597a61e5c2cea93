import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Random } from '../histories/random.ts'
import { Flow } from './known-bytes.ts'

const nameBytes = 8
const pieceMs = 20
const usualPieceBytesMax = 2_000
const waitingBytesMax = 64 * 1024

/** A controller that accepts connections; each tells its name first. */
export class Controller {
  readonly server: Server
  readonly #expected = new Map<string, (socket: Socket, first: Buffer) => void>()

  private constructor() {
    this.server = createServer({ noDelay: true }, (socket) => {
      let head = Buffer.alloc(0)
      socket.on('error', () => undefined)
      const read = (bytes: Buffer) => {
        head = Buffer.concat([head, bytes])
        if (head.length < nameBytes) return
        socket.off('data', read)
        this.#expected.get(head.toString('latin1', 0, nameBytes))?.(socket, head.subarray(nameBytes))
      }
      socket.on('data', read)
    })
  }

  static async listen(): Promise<Controller> {
    const controller = new Controller()
    controller.server.listen(0, '127.0.0.1')
    await once(controller.server, 'listening')
    return controller
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  expect(name: string, onSocket: (socket: Socket, first: Buffer) => void): void {
    this.#expected.set(name, onSocket)
  }
}

interface StreamOptions {
  /** Where the tool connects. */
  readonly port: number
  readonly controller: Controller
  readonly random: Random
  readonly pieceBytesMax?: number
}

/** A tool's connection to the controller: both ends send a known sequence in pieces of any length, and check the other's. */
export class ToolStream {
  readonly toController: Flow
  readonly toTool: Flow
  readonly #tool: Socket
  readonly #timer: NodeJS.Timeout
  #far: Socket | undefined
  #isToolClosed = false
  #isFarClosed = false

  /** `pieceBytesMax`: each end sends a piece of at most so many bytes every 20 ms. */
  constructor(name: string, { port, controller, random, pieceBytesMax = usualPieceBytesMax }: StreamOptions) {
    const id = name.padStart(nameBytes, '0').slice(-nameBytes)
    this.toController = new Flow(`${name} to the controller`)
    this.toTool = new Flow(`${name} to the tool`)
    this.#tool = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#tool.on('error', () => undefined)
    this.#tool.on('close', () => {
      this.#isToolClosed = true
    })
    this.#tool.on('data', (bytes: Buffer) => this.toTool.read(bytes))
    this.#tool.write(id, 'latin1')
    controller.expect(id, (socket, first) => {
      this.#far = socket
      const read = (bytes: Buffer) => this.toController.read(bytes)
      if (first.length > 0) read(first)
      socket.on('data', read)
      socket.on('close', () => {
        this.#isFarClosed = true
      })
    })
    this.#timer = setInterval(() => {
      const length = () => 1 + random.below(pieceBytesMax)
      send(this.#tool, this.toController, length)
      if (this.#far) send(this.#far, this.toTool, length)
    }, pieceMs)
  }

  /** `half`: one end has gone, and the other not yet. A stream that never reached the controller has one end. */
  get state(): 'open' | 'half' | 'over' {
    const isFarOver = this.#isFarClosed || this.#far === undefined
    if (this.#isToolClosed && isFarOver) return 'over'
    return this.#isToolClosed || this.#isFarClosed ? 'half' : 'open'
  }

  get isExact(): boolean {
    return this.toController.wrongFrom === undefined && this.toTool.wrongFrom === undefined
  }

  /** Everything that was sent until now, and more. */
  whenPassed(): () => boolean {
    const marks = [this.toController, this.toTool].map((flow) => ({ flow, sent: flow.sent }))
    return () => marks.every(({ flow, sent }) => flow.received > sent)
  }

  /** Both ends send no more. */
  stopSending(): void {
    clearInterval(this.#timer)
  }

  close(): void {
    this.stopSending()
    this.#tool.destroy()
    this.#far?.destroy()
  }
}

function send(socket: Socket, flow: Flow, length: () => number): void {
  if (socket.destroyed || !socket.writable || socket.writableLength > waitingBytesMax) return
  socket.write(flow.next(length()))
}
