import { isIP } from 'node:net'
import type { PageConfig } from './config.ts'
import { configLimits } from './config.ts'
import type { Fields } from './fields.ts'

const listenPattern = /^(\[[0-9a-fA-F:.]+\]|[0-9.]+):(\d{1,5})$/

/**
 * `page: {listen: "127.0.0.1:8090", hosts: [panel.local], write: true}`. Visitors through other addresses can
 * only watch.
 */
export function parsePage(root: Fields): PageConfig | null {
  if (!root.has('page')) return null
  const fields = root.mapping('page')
  const { host, port } = parseListen(fields)
  const isLoopback = host === '::1' || host.startsWith('127.')
  const page: PageConfig = {
    host,
    port,
    hosts: fields.texts('hosts', configLimits.pageHostsMax, 253).map((name) => name.toLowerCase()),
    write: fields.boolean('write') ?? isLoopback,
  }
  if (page.hosts.some((name) => !/^[a-z0-9.-]+$/.test(name))) {
    fields.problem('hosts', 'has to be names without a port, like panel.local')
  }
  fields.finish()
  return page
}

function parseListen(fields: Fields): { host: string; port: number } {
  const text = fields.requiredText('listen', configLimits.textCharactersMax)
  const [, address = '', portText = ''] = listenPattern.exec(text) ?? []
  const host = address.replace(/^\[|\]$/g, '')
  const port = Number(portText)
  const isWhole = isIP(host) !== 0 && port >= 1 && port <= 65_535
  // Listening on every address must be written out: there is no short form for it.
  if (!isWhole && text !== '') fields.problem('listen', 'has to be an address with a port: 127.0.0.1:8090')
  return { host, port }
}
