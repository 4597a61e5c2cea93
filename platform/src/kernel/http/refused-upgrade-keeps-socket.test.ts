import { connect } from 'node:net'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'

const site = useSite()

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
    await expect.poll(open).toBe(0)
  } finally {
    socket.destroy()
  }
})
