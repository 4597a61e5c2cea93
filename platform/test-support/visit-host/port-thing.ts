import type { TestPlatform, TestUser } from '@busbar/testkit'
import { AgentLine, newStreamId } from '../ports/port-agent.ts'
import { openPorts, ProgramLine } from '../ports/program-line.ts'
import { Pieces, pieceMs } from './open-thing.ts'
import { lookedAtPort, type Station } from './station.ts'

/**
 * A stream to a machine's port that a person looks at, in a visit of its own: both ends send a numbered piece every 20
 * ms for as long as they can.
 */
export class PortThing {
  readonly kind = 'port'
  readonly program: ProgramLine
  readonly #connectUrl: string
  readonly #agent: AgentLine
  readonly #toVisitor = new Pieces()
  readonly #toMachine = new Pieces()
  readonly #timer: NodeJS.Timeout
  #openEnds = 2

  private constructor(program: ProgramLine, connectUrl: string, agent: AgentLine) {
    this.program = program
    this.#connectUrl = connectUrl
    this.#agent = agent
    program.ws.on('message', (data: Buffer, isBinary: boolean) => isBinary && this.#toVisitor.read(data))
    agent.onFrame = (frame) => frame.kind === 'data' && this.#toMachine.read(frame.bytes)
    program.ws.once('close', () => this.#ended())
    agent.stream.once('close', () => this.#ended())
    this.#timer = setInterval(() => this.#send(), pieceMs)
  }

  static async open(site: TestPlatform, user: TestUser, station: Station): Promise<PortThing> {
    const stream = newStreamId()
    const arrival = station.arrival(stream).then((far) => {
      const agent = new AgentLine(far, {})
      agent.accept()
      return agent
    })
    const visit = await openPorts(site, user, station.machine.machineId, 'ro')
    const program = await visit.line({ port: lookedAtPort, stream })
    if (program.end !== undefined) throw new Error(`the port was not opened: ${program.end}`)
    return new PortThing(program, visit.connectUrl, await arrival)
  }

  get sent(): { toVisitor: number; toMachine: number } {
    return { toVisitor: this.#toVisitor.sent, toMachine: this.#toMachine.sent }
  }

  countAfter(mark: { toVisitor: number; toMachine: number }): number {
    return Math.min(this.#toVisitor.arrived - mark.toVisitor, this.#toMachine.arrived - mark.toMachine)
  }

  passedAfter(mark: { toVisitor: number; toMachine: number }): number {
    const { arrived } = this.#toVisitor
    return Math.max(0, arrived - mark.toVisitor, this.#toMachine.arrived - mark.toMachine)
  }

  /** Its visit is another one than that of the page beside it: it has an end of its own. */
  markEnd(): void {}

  get state(): string {
    const late = this.#toVisitor.lateCount + this.#toMachine.lateCount
    if (late > 0) return `${late} pieces passed after the end`
    return ['cut', 'half open', 'open'][this.#openEnds] ?? ''
  }

  /** Why it was closed, as a program learns it: where it may try again, it does. */
  async askWhy(): Promise<string | undefined> {
    if (!this.program.end?.startsWith('4503')) return this.program.end
    const ticket = String(this.program.told('ticket').at(-1))
    return (await ProgramLine.open(this.#connectUrl, ticket, { port: lookedAtPort })).end
  }

  close(): void {
    clearInterval(this.#timer)
    this.program.ws.terminate()
    this.#agent.stream.close()
  }

  /** The first sign that it ended: nothing that is sent from here on may arrive. */
  #ended(): void {
    this.#openEnds--
    for (const pieces of [this.#toVisitor, this.#toMachine]) pieces.markEnd()
  }

  #send(): void {
    if (!this.#agent.stream.destroyed && this.#agent.stream.writable)
      this.#agent.send({ kind: 'data', bytes: Buffer.from(this.#toVisitor.next()) })
    const { ws } = this.program
    if (ws.readyState === ws.OPEN) ws.send(Buffer.from(this.#toMachine.next()))
  }
}
