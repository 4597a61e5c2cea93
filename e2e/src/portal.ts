import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'

/** The web site of a project's owner, on a domain of its own: one page that frames an address. */
export interface Portal {
  readonly origin: string
  /** The address of its page with this address in the frame. */
  pageWith(framed: string): string
  close(): Promise<void>
}

/** The name of the portal's host; a test's browser finds it on this computer. */
export const portalName = 'portal.mes.example'

/** Starts it with the certificate of the test's console, whose key the test's browsers accept. */
export async function startPortal(caFile: string): Promise<Portal> {
  const folder = dirname(caFile)
  const [key, cert] = await Promise.all(
    ['console.key', 'console.crt'].map((file) => readFile(join(folder, file))),
  )
  const server = createServer({ key: key as Buffer, cert: cert as Buffer }, (request, response) => {
    const framed = new URL(request.url ?? '/', 'https://portal.invalid').searchParams.get('framed') ?? ''
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><title>Portal</title><iframe title="Device" width="900" height="600" src="${framed.replaceAll('"', '&quot;')}"></iframe>`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `https://${portalName}:${(server.address() as AddressInfo).port}`
  return {
    origin,
    pageWith: (framed) => `${origin}/?${new URLSearchParams({ framed })}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
