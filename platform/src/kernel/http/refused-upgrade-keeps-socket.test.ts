import { connect } from 'node:net'
import { startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let site: TestPlatform
beforeAll(async () => {
  site = await startTestPlatform()
})
afterAll(() => site.stop())

test('a refused upgrade whose peer never closes does not keep its socket', async () => {
  const socket = connect({ port: site.webPort, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(
    'GET /nothing HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n',
  )
  const ended = new Promise((resolve) => socket.once('end', resolve))
  socket.resume()
  await ended
  const open = () =>
    new Promise<number>((resolve, reject) =>
      site.platform.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )
  try {
    await expect.poll(open, { timeout: 5_000 }).toBe(0)
  } finally {
    socket.destroy()
  }
})
