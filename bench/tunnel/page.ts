import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { serve } from '../src/rpc.ts'

/* A machine's page, in a separate process. `/bytes/N`: N bytes as fast as they are taken; `/small`: 1 kB;
   `/events`: a line every 5 s; `/paced`: without end, 100 Mbit/s; `/socket`: a WebSocket that says 1 kB every
   2 ms. */

const chunk = Buffer.alloc(64 * 1024, 'x')
const small = Buffer.alloc(1_024, 'x')
const eventsEveryMs = 5_000
const framesEveryMs = 2
const paced = { bytes: Buffer.alloc(12_500, 'x'), everyMs: 1 }
const event = Buffer.from(`data: ${'x'.repeat(100)}\n\n`)

serve({
  async listen(): Promise<number> {
    const server = createServer((request, response) => {
      const [, what, count] = (request.url ?? '').split('/')
      if (what === 'small') response.writeHead(200, { 'content-length': small.length }).end(small)
      else if (what === 'bytes') sendBytes(response, Number(count))
      else if (what === 'events') repeat(response, event, eventsEveryMs)
      else if (what === 'paced') repeat(response, paced.bytes, paced.everyMs)
      else response.writeHead(404).end()
    })
    // A connection closed between two requests would be reopened within a measurement.
    server.keepAliveTimeout = 60_000
    const sockets = new WebSocketServer({ server, path: '/socket', perMessageDeflate: false })
    sockets.on('connection', (socket) => {
      const timer = setInterval(() => socket.send(small), framesEveryMs)
      socket.on('close', () => clearInterval(timer))
      socket.on('error', () => socket.terminate())
    })
    await new Promise<void>((resolve) =>
      server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve),
    )
    return (server.address() as AddressInfo).port
  },
})

function sendBytes(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-length': bytes })
  let left = bytes
  const send = () => {
    while (left > 0) {
      const part = left >= chunk.length ? chunk : chunk.subarray(0, left)
      left -= part.length
      if (left === 0) return response.end(part)
      if (!response.write(part)) return
    }
  }
  response.on('drain', send)
  send()
}

/** Repeats data until the reader is gone; data that a slow reader does not accept is skipped. */
function repeat(response: ServerResponse, what: Buffer, everyMs: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(what)
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) response.write(what)
  }, everyMs)
  response.on('close', () => clearInterval(timer))
}
