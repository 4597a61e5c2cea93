import { once } from 'node:events'
import { visits as contract } from '@busbar/contract'
import type { TestPlatform, TestUser } from '@busbar/testkit'
import { WebSocket } from 'ws'
import { newStreamId } from './port-agent.ts'

export interface LineWish {
  readonly port?: string
  readonly stream?: string
  readonly from?: number | string
  readonly resume?: boolean
}

/** A program's end of a line: what it got, and how it was closed. */
export class ProgramLine {
  readonly ws: WebSocket
  readonly streamId: string
  readonly texts: Record<string, unknown>[] = []
  readonly chunks: Buffer[] = []
  /** `4403 rightLost`; undefined while it is open. */
  end: string | undefined

  private constructor(ws: WebSocket, streamId: string) {
    this.ws = ws
    this.streamId = streamId
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.chunks.push(data)
      else this.texts.push(JSON.parse(data.toString()))
    })
    ws.on('error', () => undefined)
    ws.on('close', (code, reason) => {
      this.end = `${code} ${reason}`
    })
  }

  /** Resolves when it is open, or was closed. */
  static async open(connectUrl: string, ticket: string, wish: LineWish = {}): Promise<ProgramLine> {
    const { port = 'plc', stream = newStreamId(), from = 0, resume = false } = wish
    const query = new URLSearchParams({
      port,
      stream,
      from: String(from),
      ...(resume ? { resume: '1' } : {}),
    })
    const ws = new WebSocket(`${connectUrl}?${query}`, {
      headers: { authorization: `Bearer ${ticket}` },
      perMessageDeflate: false,
    })
    const line = new ProgramLine(ws, stream)
    await once(ws, 'open')
    await new Promise<void>((resolve) => {
      ws.once('message', () => resolve())
      ws.once('close', () => resolve())
    })
    return line
  }

  get bytes(): string {
    return Buffer.concat(this.chunks).toString()
  }

  tell(text: object): void {
    this.ws.send(JSON.stringify(text))
  }

  told(name: string): unknown[] {
    return this.texts.flatMap((text) => (name in text ? [text[name]] : []))
  }
}

type Opened = Awaited<ReturnType<typeof openPorts>>

/** A visit of ports, as a program opens it. */
export async function openPorts(
  site: Pick<TestPlatform, 'as'>,
  user: TestUser,
  machineID: number,
  mode: contract.VisitMode = 'rw',
) {
  const again = () => site.as(user).call(contract.openPorts, { machineID, terminalID: 'connect', mode })
  const opened = await again()
  let ticket: string | undefined = opened.ticket
  return {
    ...opened,
    again,
    /** A further line, with a ticket of its own. */
    async line(wish: LineWish = {}): Promise<ProgramLine> {
      const own = ticket ?? (await again()).ticket
      ticket = undefined
      return ProgramLine.open(opened.connectUrl, own, wish)
    },
  }
}
export type PortVisit = Opened
