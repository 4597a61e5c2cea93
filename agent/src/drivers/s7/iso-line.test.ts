import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openIsoLine } from './iso-line.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const confirm = Buffer.from('0300000b06d00001000100', 'hex')

/** A controller whose answers the test writes by hand. */
async function connectTo(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay()
    socket.on('error', () => undefined)
    onConnection(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  const messages: string[] = []
  const closed = Promise.withResolvers<Error>()
  const heard = { count: 0, wake: () => undefined as unknown }
  const opening = openIsoLine(
    { host: '127.0.0.1', port, timeoutMs: 15_000, localTsap: 0x0100, remoteTsap: 0x0301 },
    {
      onMessage(message) {
        messages.push(message.toString('latin1'))
        heard.wake()
      },
      onClose: closed.resolve,
    },
  )
  const until = async (count: number) => {
    while (messages.length < count)
      await new Promise<void>((resolve) => {
        heard.wake = resolve
      })
  }
  return { opening, messages, until, closed: closed.promise }
}

const dataOf = (text: string, isLast = true) => {
  const packet = Buffer.concat([
    Buffer.of(3, 0, 0, 7 + text.length, 2, 0xf0, isLast ? 0x80 : 0),
    Buffer.from(text),
  ])
  return packet
}

test('asks for the selectors of both ends', async () => {
  const asked = Promise.withResolvers<Buffer>()
  const { opening } = await connectTo((socket) => {
    socket.once('data', (bytes: Buffer) => {
      asked.resolve(bytes)
      socket.write(confirm)
    })
  })
  const line = await opening
  expect((await asked.promise).toString('hex')).toBe('0300001611e00000000100c0010ac1020100c2020301')
  line.close()
})

test('messages come whole, however the packets are cut, joined or split by the transport', async () => {
  const { opening, messages, until } = await connectTo((socket) => {
    socket.once('data', async () => {
      const bytes = Buffer.concat([confirm, dataOf('one'), dataOf('tw', false), dataOf('o'), dataOf('three')])
      for (const byte of bytes.subarray(0, 20)) {
        socket.write(Buffer.of(byte))
        await new Promise(setImmediate)
      }
      socket.write(bytes.subarray(20))
    })
  })
  const line = await opening
  await until(3)
  expect(messages).toEqual(['one', 'two', 'three'])
  line.close()
})

test.each([
  ['nothing of ISO', Buffer.from('HTTP/1.1 400 Bad Request\r\n')],
  ['a head that is longer than its packet', Buffer.from('0300000b20d00001000100', 'hex')],
])('%s ends the connection', async (_name, answer) => {
  const { opening, closed } = await connectTo((socket) => {
    socket.once('data', () => socket.write(answer))
  })
  await expect(opening).rejects.toThrow('the answer is none of ISO-on-TCP')
  expect((await closed).message).toBe('the answer is none of ISO-on-TCP')
})

test('a message without an end does not fill the memory', async () => {
  const { opening, closed } = await connectTo((socket) => {
    socket.once('data', () => {
      socket.write(confirm)
      for (let piece = 0; piece < 400; piece++) socket.write(dataOf('x'.repeat(200), false))
    })
  })
  await opening
  expect((await closed).message).toBe('the answer does not end')
})
