import { type AddressInfo, createServer } from 'node:net'
import { generate } from 'mqtt-packet'
import { measureMemory } from '../src/memory.ts'
import { serve } from '../src/rpc.ts'
import { PublishTemplate } from './messages.ts'

/** Answers as fast as possible, without parsing, to show the speed of the generator alone. */
const publishBytes = new PublishTemplate('v1/devices/me/telemetry').bytes.length
const connack = generate({ cmd: 'connack', returnCode: 0, sessionPresent: false })

serve({
  async listen({ answers }: { answers: boolean }) {
    const server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => {})
      if (!answers) return socket.resume()
      let isConnected = false
      let held = 0
      socket.on('data', (bytes: Buffer) => {
        if (!isConnected) {
          isConnected = true
          socket.write(connack)
          return
        }
        held += bytes.length
        const count = Math.floor(held / publishBytes)
        held -= count * publishBytes
        if (count > 0) socket.write(Buffer.alloc(count * 4, connack))
      })
      return socket
    })
    await new Promise<void>((resolve) =>
      server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, resolve),
    )
    return (server.address() as AddressInfo).port
  },

  memory: measureMemory,

  rss() {
    globalThis.gc?.()
    return process.memoryUsage.rss()
  },
})
