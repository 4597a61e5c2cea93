import { createServer } from 'node:net'
import { generate } from 'mqtt-packet'
import { serve } from '../src/rpc.ts'

/* Accepts connections and answers the first bytes of each with a CONNACK, unseen: as little as a server can do. */

const connack = generate({ cmd: 'connack', returnCode: 0, sessionPresent: false })
const backlog = 1_024

serve({
  listen: ({ port }: { port: number }) =>
    new Promise<void>((resolve) => {
      createServer({ noDelay: true }, (socket) => {
        socket.on('error', () => socket.destroy())
        socket.once('data', () => socket.write(connack))
      }).listen({ port, host: '127.0.0.1', backlog }, resolve)
    }),
})
