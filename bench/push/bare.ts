import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { encodeTagValues } from '@busbar/platform/realtime/tag-values-frame.ts'
import { serve } from '../src/rpc.ts'

/* Writes one frame's bytes to every connection and does nothing else: the minimum for a frame to all of them. */

const sockets = new Set<Socket>()
const server = createServer({ noDelay: true }, (socket) => {
  sockets.add(socket)
  // Heartbeats only concern platforms.
  socket.resume()
  socket.on('error', () => socket.destroy())
  socket.on('close', () => sockets.delete(socket))
})

serve({
  async listen() {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  },

  write() {
    const at = performance.timeOrigin + performance.now()
    const value = {
      tagId: 1_000,
      value: at,
      quality: 'good',
      time: Math.trunc(at),
      receivedAt: Math.trunc(at),
    }
    const { wire } = encodeTagValues(1_000, [{ ...value, quality: 'good' }], Math.trunc(at))
    for (const socket of sockets) socket.write(wire)
  },
})
