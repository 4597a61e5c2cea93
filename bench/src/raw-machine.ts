import { connect, type Socket } from 'node:net'
import { generate } from 'mqtt-packet'

/** The CONNECT of a machine, as bytes. */
export function connectPacket(code: string, secret: string, keepalive = 600): Buffer {
  return generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId: code,
    keepalive,
    username: code,
    password: Buffer.from(secret),
  })
}

/** A bare socket to a port of this machine. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  return socket
}

/** A machine's connection that does not parse packets: after the CONNACK its owner counts bytes. */
export async function openRawMachine(port: number, code: string, secret: string): Promise<Socket> {
  const socket = await openSocket(port)
  socket.write(connectPacket(code, secret))
  await new Promise<void>((resolve, reject) => {
    socket.once('data', (bytes: Buffer) =>
      bytes[3] === 0 ? resolve() : reject(new Error(`CONNACK ${bytes[3]}`)),
    )
    socket.once('close', () => reject(new Error('closed before its CONNACK')))
  })
  return socket
}
