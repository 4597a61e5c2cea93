import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { serve } from '../src/rpc.ts'
import { type LinkSpeed, startSlowLink } from '../src/slow-link.ts'

/* A hop in a separate process: bytes are passed on unread, immediately or over a slow link. */

export interface RelayOrder {
  readonly toPort: number
  readonly link?: LinkSpeed
}

serve({
  listen({ toPort, link }: RelayOrder): Promise<number> {
    return link ? startSlowLink(toPort, link) : startRelay(toPort)
  },
})

async function startRelay(toPort: number): Promise<number> {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port: toPort, noDelay: true })
    pipeline(near, far, () => undefined)
    pipeline(far, near, () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return address.port
}
