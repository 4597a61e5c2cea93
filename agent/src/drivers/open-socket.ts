import { connect, type Socket } from 'node:net'

/** Connects; rejects if no controller answers within `timeoutMs`. */
export function openSocket(options: { host: string; port: number; timeoutMs: number }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: options.host, port: options.port, noDelay: true })
    const fail = (error: Error): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error('no answer to the connection')), options.timeoutMs)
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      // An error is followed by close, which is handled; without a listener the process would end.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}
