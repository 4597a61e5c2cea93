import { isTargetName, tunnelPath, tunnelTarget } from '@busbar/link'
import type { TargetConfig } from './config.ts'
import { configLimits } from './config.ts'
import type { Fields } from './fields.ts'

const { targetsMax, tcpTargetsMax } = configLimits

/**
 * `cloud.tunnel`; by default the web port that values use over WebSocket. Null if values use MQTT's own port,
 * from which the web port cannot be derived.
 */
export function parseTunnelUrl(fields: Fields, cloudUrl: string): string | null {
  const text = fields.text('tunnel', 2_048)
  if (text === undefined) {
    const url = URL.canParse(cloudUrl) ? new URL(cloudUrl) : null
    const isWeb = url !== null && ['ws:', 'wss:'].includes(url.protocol)
    return isWeb ? `${url.protocol}//${url.host}${tunnelPath}` : null
  }
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['ws:', 'wss:'].includes(url.protocol) || url.hash !== '') {
    fields.problem('tunnel', `has to look like wss://host${tunnelPath} or ws://host${tunnelPath}`)
  } else if (url.username !== '' || url.password !== '') {
    fields.problem('tunnel', 'cannot hold a user name or password; code and secret have fields of their own')
  }
  return text
}

/** `targets`: pages of other devices in the machine's network. */
export function parseTargets(root: Fields): TargetConfig[] {
  const names = new Set<string>()
  return root.list('targets', targetsMax).map((fields) => {
    const target = parseTarget(fields)
    if (names.has(target.name)) fields.problem('name', `"${target.name}" is there twice`)
    names.add(target.name)
    fields.finish()
    return target
  })
}

function parseTarget(fields: Fields): TargetConfig {
  const name = fields.requiredText('name', configLimits.nameCharactersMax)
  if (name === tunnelTarget.page || name === tunnelTarget.agent) {
    fields.problem('name', `cannot be "${name}": that is the agent's own`)
  } else if (name !== '' && !isTargetName(name)) {
    fields.problem('name', 'has to be 1 to 31 of a-z, 0-9 and single hyphens, with none at the ends')
  }
  const target: TargetConfig = {
    name,
    url: parseTargetUrl(fields),
    readOnly: fields.oneOf('readOnly', ['enforced', 'none']) ?? 'none',
    insecure: fields.boolean('insecure') ?? false,
  }
  const fingerprint = fields.text('fingerprint', 128)?.replaceAll(':', '').toLowerCase()
  if (fingerprint !== undefined) {
    target.fingerprint = fingerprint
    if (!/^[0-9a-f]{64}$/.test(fingerprint)) {
      fields.problem('fingerprint', "has to be the certificate's SHA-256: 64 hexadecimal digits")
    }
    if (target.insecure)
      fields.problem('insecure', 'and fingerprint are both there; the fingerprint is enough')
  }
  if ((target.insecure || fingerprint !== undefined) && target.url.startsWith('http:')) {
    fields.problem(target.insecure ? 'insecure' : 'fingerprint', 'is for https')
  }
  return target
}

function parseTargetUrl(fields: Fields): string {
  const text = fields.requiredText('url', 2_048)
  if (text === '') return text
  const url = URL.canParse(text) ? new URL(text) : null
  const isOrigin =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === '' &&
    url.pathname === '/'
  if (!isOrigin) fields.problem('url', 'has to look like http://192.168.0.20 or https://192.168.0.20:8443')
  return text
}

/** `tcp`: the addresses to which the platform may open a plain connection, each `host:port`. */
export function parseTcp(root: Fields): string[] {
  if (!root.has('tcp')) return []
  const addresses = root.texts('tcp', tcpTargetsMax, 260)
  for (const address of addresses) {
    if (parseHostPort(address) === null)
      root.problem('tcp', `has "${address}", which does not look like host:port`)
  }
  return addresses
}

/** `host:port`, with an address of IPv6 in brackets; null for anything else. */
export function parseHostPort(address: string): { host: string; port: number } | null {
  const [, host = '', digits] = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/.exec(address) ?? []
  const port = Number(digits)
  if (!(port >= 1 && port <= 65_535) || !URL.canParse(`tcp://${address}`)) return null
  return { host: host.replace(/^\[|\]$/g, ''), port }
}
