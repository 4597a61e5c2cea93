import { tunnelPath } from '@busbar/link'
import type { TargetConfig } from './config.ts'
import { configLimits } from './config.ts'
import type { Fields } from './fields.ts'
import { parseLocalName } from './parse-local-name.ts'

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
  return root.list('targets', configLimits.targetsMax).map((fields) => {
    const target = parseTarget(fields)
    if (names.has(target.name)) fields.problem('name', `"${target.name}" is there twice`)
    names.add(target.name)
    fields.finish()
    return target
  })
}

function parseTarget(fields: Fields): TargetConfig {
  const target: TargetConfig = {
    name: parseLocalName(fields),
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
