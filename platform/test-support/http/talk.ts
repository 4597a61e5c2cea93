import { connect, type Socket } from 'node:net'

/** A raw connection, to send and read single bytes. */
export interface Talk {
  readonly socket: Socket
  say(text: string): void
  /** Resolves to all bytes received when they contain `text`. */
  hear(text: string): Promise<string>
  /** Resolves when the other side ended the connection. */
  closed(): Promise<void>
}

/** Opens a bare connection to a local port. */
export async function openTalk(port: number): Promise<Talk> {
  const socket = connect(port, '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined)
  let heard = ''
  socket.on('data', (bytes) => {
    heard += bytes
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    socket,
    say: (text) => void socket.write(text),
    hear: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!heard.includes(text)) return
          socket.off('data', look)
          resolve(heard)
        }
        socket.on('data', look)
        void closed.then(() => reject(new Error(`The connection ended after: ${heard}`)))
        look()
      }),
    closed: () => closed,
  }
}

/** The head of a request. */
export function headOf(method: string, path: string, headers: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, 'host: localhost', ...lines, '', ''].join('\r\n')
}
