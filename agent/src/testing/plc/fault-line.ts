import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { findFreePort } from '../../../../testkit/src/free-port.ts'

/** A line between a driver and a real server, whose faults a test sets. */
export interface FaultLine {
  /** The port to which the driver connects. */
  readonly port: number
  /** Passes requests on, and swallows the answers. */
  silent: boolean
  /** Holds each answer back for this long. */
  delayMs: number
  /** Changes each answer; null passes it on unchanged. */
  alter: ((answer: Buffer) => Buffer) | null
  /** Swallows requests that it is true for; null passes all on. */
  swallow: ((request: Buffer) => boolean) | null
  /** Requests that were passed on. */
  questions: number
  /** Open connections of drivers. */
  readonly open: number
  /** Ends the open connections. */
  drop(): void
  /** Takes no connections until `plugIn`. */
  unplug(): Promise<void>
  plugIn(): Promise<void>
  close(): Promise<void>
}

/** A line to a server on a port of this machine. */
export async function startFaultLine(serverPort: number): Promise<FaultLine> {
  const port = await findFreePort()
  const sockets = new Set<Socket>()
  let open = 0
  let server: Server | null = null

  function join(driver: Socket): void {
    const device = connect(serverPort, '127.0.0.1')
    open++
    driver.once('close', () => open--)
    for (const socket of [driver, device]) {
      sockets.add(socket)
      socket.setNoDelay()
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        driver.destroy()
        device.destroy()
      })
    }
    driver.on('data', (bytes: Buffer) => {
      if (line.swallow?.(bytes)) return
      line.questions++
      device.write(bytes)
    })
    device.on('data', (bytes: Buffer) => {
      if (line.silent) return
      const answer = line.alter === null ? bytes : line.alter(bytes)
      if (line.delayMs === 0) driver.write(answer)
      else setTimeout(() => driver.writable && driver.write(answer), line.delayMs)
    })
  }

  const line: FaultLine = {
    port,
    silent: false,
    delayMs: 0,
    alter: null,
    swallow: null,
    questions: 0,
    get open() {
      return open
    },
    drop() {
      for (const socket of sockets) socket.destroy()
    },
    async unplug() {
      const closed = server && once(server, 'close')
      server?.close()
      server = null
      line.drop()
      await closed
    },
    async plugIn() {
      server = createServer(join).listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    close: () => line.unplug(),
  }
  await line.plugIn()
  return line
}
