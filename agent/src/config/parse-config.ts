import { attributeNames, isMachineCode } from '@busbar/link'
import type { DriverKinds } from '../drivers/driver-kind.ts'
import { baseKinds, loadKinds } from '../drivers/kinds.ts'
import { configDefaults, configLimits } from './config.ts'
import type { ConfigText } from './config-text.ts'
import { ConfigError, readConfigText } from './config-text.ts'
import { Fields } from './fields.ts'
import { checkTags, namedDrivers, parseConnections } from './parse-connections.ts'
import { parseOutbox } from './parse-outbox.ts'
import { parsePage } from './parse-page.ts'
import { parsePorts } from './parse-ports.ts'
import { parsePosition } from './parse-position.ts'
import { parseRemoteSwitch } from './parse-remote-switch.ts'
import { parseTargets, parseTunnelUrl } from './parse-tunnel.ts'
import type { ParsedConfig } from './parsed-config.ts'

/** Checks a configuration that uses only drivers of `kinds`. Throws `ConfigError` with every problem found. */
export function checkConfig({ root: node, source }: ConfigText, kinds: DriverKinds): ParsedConfig {
  const root = new Fields(source, node, '')
  const remote = parseRemoteSwitch(root)
  const config: ParsedConfig = {
    remote,
    cloud: parseCloud(root),
    outbox: parseOutbox(root),
    attributes: parseAttributes(root),
    // All of them may come from the platform.
    connections: remote === null || root.has('connections') ? parseConnections(root, kinds) : [],
    page: parsePage(root),
    targets: parseTargets(root),
    ports: parsePorts(root),
    position: parsePosition(root),
    kinds,
  }
  root.finish()
  checkTags(config.connections, source.problems)
  if (source.problems.length > 0) throw new ConfigError(source.problems)
  return config
}

/** Reads and checks a configuration with the drivers of the agent itself. Throws `ConfigError`. */
export function parseConfig(yamlText: string): ParsedConfig {
  return checkConfig(readConfigText(yamlText), baseKinds)
}

/** Reads and checks a configuration with the drivers that it names. nothing is opened. */
export async function parseConfigWithDrivers(yamlText: string): Promise<ParsedConfig> {
  const text = readConfigText(yamlText)
  return checkConfig(text, await loadKinds(namedDrivers(text)))
}

function parseCloud(root: Fields): ParsedConfig['cloud'] {
  if (!root.has('cloud')) root.problem('cloud', 'is missing: where to send values (url, code, secret)')
  const fields = root.mapping('cloud')
  if (!root.has('cloud')) return { url: '', code: '', outboxSamplesMax: 0, tunnel: null }
  const url = parseUrl(fields)
  const cloud: ParsedConfig['cloud'] = {
    url,
    tunnel: parseTunnelUrl(fields, url),
    code: fields.requiredText('code', configLimits.textCharactersMax),
    outboxSamplesMax:
      fields.integer('outboxSamplesMax', 1_000, configLimits.outboxSamplesMax) ??
      configDefaults.outboxSamplesMax,
  }
  if (cloud.code !== '' && !isMachineCode(cloud.code)) {
    fields.problem('code', 'has to be the machine code: 19 digits')
  }
  const secret = fields.text('secret', configLimits.secretBytesMax)
  const secretFile = fields.text('secretFile', 4_096)
  if (secret !== undefined && secretFile !== undefined) {
    fields.problem('secretFile', 'and secret are both there; one is enough')
  }
  if (!fields.has('secret') && !fields.has('secretFile')) {
    fields.problem('secret', 'is missing; write it here or name a file with it as secretFile')
  }
  if (secret !== undefined) cloud.secret = secret
  if (secretFile !== undefined) cloud.secretFile = secretFile
  fields.finish()
  return cloud
}

function parseUrl(fields: Fields): string {
  const text = fields.requiredText('url', 2_048)
  if (text === '') return ''
  // URL.parse came only with Node 22.
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['mqtt:', 'mqtts:', 'ws:', 'wss:'].includes(url.protocol) || url.hostname === '') {
    fields.problem(
      'url',
      'has to look like mqtt://host:1883, mqtts://host:8883, ws://host/mqtt or wss://host/mqtt',
    )
  } else if (url.username !== '' || url.password !== '') {
    // Addresses end up in logs.
    fields.problem('url', 'cannot hold a user name or password; code and secret have fields of their own')
  }
  return text
}

function parseAttributes(root: Fields): ParsedConfig['attributes'] {
  const attributes: ParsedConfig['attributes'] = {}
  if (!root.has('properties')) return attributes
  const fields = root.mapping('properties')
  for (const name of attributeNames) {
    const text = fields.text(name, configLimits.textCharactersMax)
    if (text !== undefined) attributes[name] = text
  }
  fields.finish()
  return attributes
}
