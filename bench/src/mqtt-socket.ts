import { connect } from 'node:net'
import mqtt from 'mqtt-packet'
import { steadyNowMs } from './clock.ts'
import { connectPacket } from './raw-machine.ts'

/**
 * Signs a machine in over MQTT. The answer waits for the connection's end and tells when it came, by the steady clock
 * in milliseconds.
 */
export async function openMqtt(port: number, code: string, secret: string): Promise<() => Promise<number>> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  const parser = mqtt.parser()
  const ended = new Promise<number>((resolve) => socket.once('close', () => resolve(steadyNowMs())))
  await new Promise<void>((resolve, reject) => {
    parser.on('packet', (packet) => {
      if (packet.cmd === 'connack' && packet.returnCode === 0) resolve()
      else reject(new Error(`the platform answered ${packet.cmd}`))
    })
    socket.once('error', reject)
    socket.on('data', (data: Buffer) => parser.parse(data))
    socket.write(connectPacket(code, secret, 120))
  })
  return () => ended
}
