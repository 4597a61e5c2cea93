import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { calmMsOf } from '../../testkit/src/until.ts'
import { createLine, type Line } from './mqtt-line.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A server that accepts connections and answers every CONNECT with these bytes, or not at all. */
async function startStrangeBroker(answer?: Buffer) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer && socket.write(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return { url: `mqtt://127.0.0.1:${port}`, server, sockets }
}

function lineTo(url: string, events: string[] = []): Line {
  const line = createLine({
    url,
    code: '1729154364880872672',
    secret: 'wrong',
    subscriptions: ['a'],
    onOpen: () => events.push('open'),
    onMessage: () => {},
    onClose: () => events.push('close'),
  })
  closing.push(() => line.close())
  return line
}

test('a refused login is tried again, even when the broker leaves the connection open', async () => {
  // CONNACK, return code 5: not authorized (MQTT-3.2.2-3).
  const { url, server } = await startStrangeBroker(Buffer.from([0x20, 2, 0, 5]))
  const events: string[] = []
  const line = lineTo(url, events)
  const first = once(server, 'connection')
  line.open()
  await first
  await once(server, 'connection')
  expect(line.isOpen).toBe(false)
  expect(events).toEqual([])
})

test('publishing on a closed line is refused, and closing without an answer ends quickly', async () => {
  const { url, server } = await startStrangeBroker()
  const line = lineTo(url)
  const connection = once(server, 'connection')
  line.open()
  await connection
  await expect(line.publish({ topic: 'a', payload: new Uint8Array(1) })).rejects.toThrow('not open')
  expect(await calmMsOf(() => line.close())).toBeLessThan(1_500)
})

test('a publish without PUBACK is rejected when the connection goes', async () => {
  // CONNACK accepted; then a SUBACK to the first packet id, and silence.
  const { url, server, sockets } = await startStrangeBroker(Buffer.from([0x20, 2, 0, 0]))
  const connected = once(server, 'connection')
  const opened = Promise.withResolvers<void>()
  const line = createLine({
    url,
    code: '1729154364880872672',
    secret: 'any',
    subscriptions: ['a'],
    onOpen: () => opened.resolve(),
    onMessage: () => {},
    onClose: () => {},
  })
  closing.push(() => line.close())
  line.open()
  await connected
  const socket = sockets[0] as Socket
  await once(socket, 'data')
  const [subscribe] = (await once(socket, 'data')) as [Buffer]
  socket.write(Buffer.from([0x90, 3, subscribe[2] ?? 0, subscribe[3] ?? 0, 1]))
  await opened.promise
  const published = line.publish({ topic: 'a', payload: new Uint8Array(1) })
  await once(socket, 'data')
  socket.destroy()
  await expect(published).rejects.toThrow()
  expect(line.isOpen).toBe(false)
})
