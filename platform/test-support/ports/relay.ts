import { once } from 'node:events'
import { connect, createServer, type ListenOptions, type NetConnectOpts, type Server } from 'node:net'

/** Joins connections at one place with another one, as a socket of the file system that leads out of a network. */
export async function openRelay(from: ListenOptions, to: NetConnectOpts): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(to)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  })
  await once(server.listen(from), 'listening')
  return server
}
