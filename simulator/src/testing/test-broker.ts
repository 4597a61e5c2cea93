import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connectAsync, type MqttClient } from 'mqtt'
import { findFreePort } from '../../../testkit/src/free-port.ts'

/** A mosquitto for one test file, on a free loopback port or the given one, without persistence. */
export interface TestBroker {
  url: string
  stop(): Promise<void>
}

export async function startTestBroker(wantedPort?: number): Promise<TestBroker> {
  const port = wantedPort ?? (await findFreePort())
  // `-p` alone listens on loopback only and accepts every client.
  const child: ChildProcess = spawn(process.env.BUSBAR_MOSQUITTO ?? 'mosquitto', ['-p', String(port)], {
    stdio: 'ignore',
  })
  await untilListening(port, child)
  return {
    url: `mqtt://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = connectTcp(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    } finally {
      socket.destroy()
    }
  }
  throw new Error('mosquitto ended at its start')
}

export interface Received {
  topic: string
  payload: Buffer
}

/** A client that keeps the messages it receives; `until` waits for the first match, past or future. */
export interface Listener {
  client: MqttClient
  heard: Received[]
  until(fits: (message: Received) => boolean): Promise<Received>
}

export async function listen(url: string, topics: string[]): Promise<Listener> {
  const client = await connectAsync(url)
  const heard: Received[] = []
  const waiting = new Set<() => void>()
  client.on('message', (topic, payload) => {
    heard.push({ topic, payload })
    for (const look of waiting) look()
  })
  await client.subscribeAsync(topics, { qos: 1 })
  return {
    client,
    heard,
    until: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = heard.find(fits)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
  }
}
