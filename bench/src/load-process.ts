import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import mqtt from 'mqtt-packet'
import type { LoadMessage, LoadOrder, LoadResult, LoadRun } from './mqtt-load.ts'

/** The generator, in a separate process. */
export interface LoadProcess {
  /** Opens the connections, one a machine. */
  open(order: LoadOrder): Promise<void>
  run(run: LoadRun): Promise<LoadResult>
  stop(): Promise<void>
}

export function startLoadProcess(): LoadProcess {
  const child = fork(join(import.meta.dirname, 'mqtt-load.ts'))
  const exited = once(child, 'exit')
  const answer = async (): Promise<LoadMessage> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      exited.then(() => Promise.reject(new Error('the generator ended'))),
    ])
    return message as LoadMessage
  }
  return {
    async open(order) {
      child.send({ open: order })
      await answer()
    },
    async run(run) {
      child.send({ run })
      const message = await answer()
      if (message.type !== 'done') throw new Error('the generator answered out of turn')
      return message.result
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await exited
    },
  }
}

/** Messages a second the generator makes against a listener that only acknowledges. */
export async function proveGenerator(
  machines: LoadOrder['machines'],
  messagesPerSecond: number,
  durationMs: number,
): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    const parser = mqtt.parser()
    parser.on('packet', (packet) => {
      if (packet.cmd === 'connect')
        socket.write(mqtt.generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }))
      else if (packet.cmd === 'publish')
        socket.write(mqtt.generate({ cmd: 'puback', messageId: packet.messageId ?? 0 }))
    })
    socket.on('data', (data: Buffer) => parser.parse(data))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const load = startLoadProcess()
  try {
    if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
    await load.open({ port: address.port, machines })
    const { acknowledged, elapsedMs } = await load.run({ messagesPerSecond, durationMs })
    return (acknowledged * 1000) / elapsedMs
  } finally {
    await load.stop()
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}
