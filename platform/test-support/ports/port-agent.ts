import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { type AgentPort, encodePortFrame, type PortFrame, PortFrameReader, portHeader } from '@busbar/link'
import { openTestTunnel, type TestMachine, type TestPlatform, type TestTunnel } from '@busbar/testkit'

export const port = (name: string, change: Partial<AgentPort> = {}): AgentPort => ({
  ...{ name, kind: 'other', note: '', look: 'nobody', connections: 4, roundTripMs: null },
  ...change,
})

/** A port of each kind that the platform tells apart. */
export const testPorts: readonly AgentPort[] = [
  port('plc', { kind: 'modbus', look: 'users', note: 'Press 4' }),
  port('shown', { kind: 's7', look: 'visitors' }),
  port('192.168.0.10:22', { kind: 'ssh' }),
]

/** The agent's end of a line. */
export class AgentLine {
  readonly headers: IncomingHttpHeaders
  readonly frames: PortFrame[] = []
  readonly stream: ServerHttp2Stream
  isClosed = false
  onFrame: (frame: PortFrame) => void = () => undefined
  readonly #reader = new PortFrameReader()

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    this.stream = stream
    this.headers = headers
    stream.on('data', (bytes: Buffer) => {
      for (const frame of this.#reader.read(bytes)) {
        this.frames.push(frame)
        this.onFrame(frame)
      }
    })
    stream.once('close', () => {
      this.isClosed = true
    })
  }

  accept(from = 0): void {
    this.stream.respond({ ':status': 200, [portHeader.from]: String(from) })
  }

  /** False: the tunnel takes no more now. */
  send(frame: PortFrame): boolean {
    let mayGoOn = true
    for (const part of encodePortFrame(frame)) mayGoOn = this.stream.write(part)
    return mayGoOn
  }

  get bytes(): string {
    return Buffer.concat(
      this.frames.flatMap((frame) => (frame.kind === 'data' ? [frame.bytes] : [])),
    ).toString()
  }

  get kinds(): readonly PortFrame['kind'][] {
    return this.frames.map(({ kind }) => kind)
  }
}

/** A machine's agent with ports; it accepts each line unless `answer` does something else. */
export class PortAgent {
  readonly machine: TestMachine
  readonly lines: AgentLine[] = []
  tunnel: TestTunnel | undefined
  answer: (line: AgentLine) => void = (line) => line.accept()

  private constructor(machine: TestMachine) {
    this.machine = machine
  }

  static async open(
    site: TestPlatform,
    machine: TestMachine,
    ports: readonly AgentPort[] = testPorts,
  ): Promise<PortAgent> {
    const agent = new PortAgent(machine)
    const take = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      const line = new AgentLine(stream, headers)
      agent.lines.push(line)
      agent.answer(line)
    }
    agent.tunnel = await openTestTunnel(site, machine, take, { ports })
    return agent
  }

  /** Of a stream: its newest line. */
  lineOf(streamId: string): AgentLine {
    const line = this.lines.findLast(({ headers }) => headers[portHeader.stream] === streamId)
    if (!line) throw new Error('the line did not reach the agent')
    return line
  }
}

export const newStreamId = (): string => randomBytes(16).toString('base64url')
