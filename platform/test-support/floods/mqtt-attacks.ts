import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { plainTopic } from '@busbar/link'
import { generate } from 'mqtt-packet'
import { repeat } from './attack-calls.ts'
import type { AttackTarget } from './attack-target.ts'

export const valuesOfMessage = 2_500
export const messagesOfWrite = 16
const drainMsMax = 200

export const publishOf = (topic: string, payload: object) =>
  generate({ cmd: 'publish', topic, payload: JSON.stringify(payload), qos: 0, dup: false, retain: false })

export const valuesFrom = (first: number) =>
  publishOf(
    plainTopic.telemetry,
    Object.fromEntries(Array.from({ length: valuesOfMessage }, (_, n) => [`v${n}`, first + n])),
  )

/** Messages of QoS 0 with thousands of values each. */
export function manyValues(first: number): Buffer {
  return Buffer.concat(Array.from({ length: messagesOfWrite }, () => valuesFrom(first)))
}

export async function openMachine(
  order: AttackTarget,
  machine: AttackTarget['machines'][number],
): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: order.mqttPort, noDelay: true })
  socket.on('error', () => socket.destroy())
  socket.write(
    generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive: 0,
      clientId: machine.code,
      username: machine.code,
      password: Buffer.from(machine.secret),
    }),
  )
  await once(socket, 'data')
  socket.resume()
  return socket
}

/** Waits until a socket accepts more, up to a limit: a paused one is tried again. */
async function drained(socket: Socket): Promise<void> {
  await once(socket, 'drain', { signal: AbortSignal.timeout(drainMsMax) }).catch(() => undefined)
}

/** Every machine sends the same bytes as fast as the platform takes them. */
export async function floodPackets(
  order: AttackTarget,
  bytes: Buffer,
  isOver: () => boolean,
): Promise<number> {
  return repeat(order.machines.length, isOver, async (loop) => {
    const socket = await openMachine(order, order.machines[loop] as AttackTarget['machines'][number])
    let sent = 0
    while (!isOver() && !socket.destroyed) {
      sent++
      if (!socket.write(bytes)) await drained(socket)
    }
    socket.destroy()
    return sent
  })
}
