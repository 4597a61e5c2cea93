import { connect, type Socket } from 'node:net'
import type { WebSocket } from 'ws'

const deadlineMs = 10_000
const textBytesMax = 4 * 1024 * 1024

/** The answer over a bare connection. */
export interface Spoken {
  readonly text: string
  /** The statuses of all answers, in their order. */
  readonly statuses: readonly number[]
  /** The server ended the connection. */
  readonly isClosed: boolean
}

/** A bare connection to the platform, without an HTTP client in between. */
export async function openSocket(site: { readonly webPort: number }): Promise<Socket> {
  const socket = connect(site.webPort, '127.0.0.1')
  socket.on('error', () => socket.destroy())
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()))
  return socket
}

/** Sends raw bytes and listens until the server hangs up, `isEnough` is content or 10 s are over. */
export async function speak(
  site: { readonly webPort: number },
  said: string | Buffer,
  isEnough: (text: string) => boolean = () => false,
): Promise<Spoken> {
  const socket = await openSocket(site)
  let text = ''
  let isClosed = socket.destroyed
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, deadlineMs)
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    if (text.length > textBytesMax || isEnough(text)) resolve()
  })
  // The server's FIN is enough: a reset may follow if it did not read everything.
  for (const event of ['end', 'close'])
    socket.once(event, () => {
      isClosed = true
      resolve()
    })
  if (!isClosed) socket.write(typeof said === 'string' ? Buffer.from(said, 'latin1') : said)
  await promise
  clearTimeout(timer)
  socket.destroy()
  return { text, statuses: statusesOf(text), isClosed }
}

/** Every status line of a connection. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

/** Whether a WebSocket opens: `open`, or the status or the words it was refused with. */
export async function tryWebSocket(ws: WebSocket): Promise<string> {
  const what = await new Promise<string>((resolve) => {
    ws.once('open', () => resolve('open'))
    ws.on('error', ({ message }) => resolve(/\d{3}/.exec(message)?.[0] ?? message))
  })
  ws.terminate()
  return what
}
