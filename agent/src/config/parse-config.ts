import { attributeNames, formatMetricName, isMachineCode } from '@busbar/link'
import { LineCounter, parseDocument } from 'yaml'
import { wordOrders } from '../drivers/modbus-tcp/registers.ts'
import type { ConnectionConfig } from './config.ts'
import { configDefaults, configLimits } from './config.ts'
import type { ConfigProblem, ConfigSource } from './fields.ts'
import { Fields } from './fields.ts'
import { parseOutbox } from './parse-outbox.ts'
import { parsePage } from './parse-page.ts'
import { parseModbusTag, parseSimulatedTag } from './parse-tag.ts'
import { parseTargets, parseTcp, parseTunnelUrl } from './parse-tunnel.ts'
import type { ParsedConfig } from './parsed-config.ts'

/** Everything wrong with a configuration, in words for the person who wrote it. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(formatProblem).join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

function formatProblem({ path, line, message }: ConfigProblem): string {
  const place = line === null ? '' : `line ${line}: `
  return path === '' ? `${place}${message}` : `${place}${path} ${message}`
}

/** Checks a configuration. Throws `ConfigError` with every problem found. */
export function parseConfig(yamlText: string): ParsedConfig {
  const lines = new LineCounter()
  const document = parseDocument(yamlText, { lineCounter: lines, prettyErrors: false })
  const source: ConfigSource = { document, problems: [], lineAt: (offset) => lines.linePos(offset).line }
  const [syntaxError] = document.errors
  if (syntaxError !== undefined) {
    const message = `is not YAML here: ${syntaxError.message}`
    throw new ConfigError([{ path: 'the file', line: source.lineAt(syntaxError.pos[0]), message }])
  }
  if (document.contents === null)
    throw new ConfigError([{ path: 'the file', line: null, message: 'is empty' }])

  const root = new Fields(source, document.contents, '')
  const config: ParsedConfig = {
    cloud: parseCloud(root),
    outbox: parseOutbox(root),
    attributes: parseAttributes(root),
    connections: parseConnections(root),
    page: parsePage(root),
    targets: parseTargets(root),
    tcp: parseTcp(root),
  }
  root.finish()
  checkTags(config.connections, source.problems)
  if (source.problems.length > 0) throw new ConfigError(source.problems)
  return config
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

const drivers = ['modbus-tcp', 'simulated'] as const

function parseConnections(root: Fields): ConnectionConfig[] {
  const entries = root.list('connections', configLimits.connectionsMax)
  if (!root.has('connections')) root.problem('connections', 'is missing: which controllers to read')
  return entries.flatMap((fields, index) => {
    if (!fields.has('driver')) fields.problem('driver', `is missing; possible are ${drivers.join(', ')}`)
    const driver = fields.oneOf('driver', drivers)
    // Which fields it should have cannot be said of an unknown driver.
    if (driver === undefined) return []
    const common = {
      name: fields.text('name', configLimits.nameCharactersMax) ?? `${driver} ${index + 1}`,
      pollIntervalMs:
        fields.integer('pollIntervalMs', configLimits.pollIntervalMsMin, configLimits.pollIntervalMsMax) ??
        configDefaults.pollIntervalMs,
    }
    const connection =
      driver === 'modbus-tcp'
        ? { driver, ...common, ...parseModbus(fields) }
        : { driver, ...common, tags: fields.list('tags', configLimits.tagsMax).map(parseSimulatedTag) }
    if (!fields.has('tags')) fields.problem('tags', 'is missing: what to read')
    fields.finish()
    return connection
  })
}

function parseModbus(fields: Fields) {
  const wordOrder = fields.oneOf('wordOrder', wordOrders) ?? 'ABCD'
  const timeoutMs = fields.integer('timeoutMs', configLimits.timeoutMsMin, configLimits.timeoutMsMax)
  const { blockRegistersMax, blockBitsMax } = configDefaults
  return {
    host: fields.requiredText('host', 255),
    port: fields.integer('port', 1, 65_535) ?? configDefaults.modbusPort,
    unit: fields.integer('unit', 0, 255) ?? configDefaults.modbusUnit,
    timeoutMs: timeoutMs ?? configDefaults.timeoutMs,
    gapRegistersMax:
      fields.integer('gapRegistersMax', 0, blockRegistersMax) ?? configDefaults.gapRegistersMax,
    gapBitsMax: fields.integer('gapBitsMax', 0, blockBitsMax) ?? configDefaults.gapBitsMax,
    blockRegistersMax: fields.integer('blockRegistersMax', 1, blockRegistersMax) ?? blockRegistersMax,
    blockBitsMax: fields.integer('blockBitsMax', 1, blockBitsMax) ?? blockBitsMax,
    tags: fields.list('tags', configLimits.tagsMax).map((tag) => parseModbusTag(tag, wordOrder)),
  }
}

/** Checks of the whole file: the number of tags, names of tags and ids of alarms used twice. */
function checkTags(connections: readonly ConnectionConfig[], problems: ConfigProblem[]): void {
  const places = new Map<string, string>()
  const alarmPlaces = new Map<string, string>()
  let count = 0
  connections.forEach((connection, connectionIndex) => {
    connection.tags.forEach((tag, tagIndex) => {
      count++
      if (tag.name === '') return
      const place = `connections[${connectionIndex}].tags[${tagIndex}]`
      const metricName = formatMetricName(tag)
      const other = places.get(metricName)
      if (other === undefined) places.set(metricName, place)
      else
        problems.push({ path: `${place}.name`, line: null, message: `"${metricName}" is taken by ${other}` })
      if (tag.alarm === undefined) return
      const otherAlarm = alarmPlaces.get(tag.alarm.id)
      if (otherAlarm === undefined) alarmPlaces.set(tag.alarm.id, place)
      else {
        const message = `"${tag.alarm.id}" is taken by ${otherAlarm}; give it an id of its own`
        problems.push({ path: `${place}.alarm.id`, line: null, message })
      }
    })
  })
  if (count > configLimits.tagsMax) {
    const message = `have ${count} tags together, at most ${configLimits.tagsMax} are possible`
    problems.push({ path: 'connections', line: null, message })
  }
}
