import type { RemoteDocument, RemoteFields } from '@busbar/link'
import { agentConfigLimits } from '@busbar/link'
import { isMap, isSeq } from 'yaml'
import { configLimits } from '../config/config.ts'
import type { ConfigText } from '../config/config-text.ts'
import { readConfigText } from '../config/config-text.ts'
import type { ConfigProblem } from '../config/fields.ts'
import { Fields } from '../config/fields.ts'
import { checkTags, namedDrivers, parseConnections } from '../config/parse-connections.ts'
import type { DriverConnection, DriverKinds } from '../drivers/driver-kind.ts'
import { HostRefused, type Networks } from './networks.ts'
import type { RemotePorts } from './ports.ts'
import { hostOf, remoteFields } from './remote-kinds.ts'

/** A problem in a document, by its path in it. */
export type DocumentProblem = Pick<ConfigProblem, 'path' | 'message'>

/** A checked connection of a document. */
export interface RemoteConnection {
  readonly connection: DriverConnection
  /** Two connections with the same text are the same: a driver changes what it learns of its tags. */
  readonly text: string
}

export interface ParsedDocument {
  readonly connections: readonly RemoteConnection[]
  readonly problems: readonly DocumentProblem[]
  readonly kinds: DriverKinds
}

export interface DocumentRules {
  /** Of the hand-written file: their names, tags and alarms are taken. */
  readonly local: readonly DriverConnection[]
  readonly networks: Networks
  readonly ports: RemotePorts
  loadKinds(named: Iterable<string>): Promise<DriverKinds>
}

/** Fields of every connection. */
const commonFields = ['name', 'driver', 'pollIntervalMs', 'tags']

/** Checks a document as the agent's file is checked, and by the rules for what comes from the platform. */
export async function parseDocument(
  document: RemoteDocument,
  { local, networks, ports, loadKinds }: DocumentRules,
): Promise<ParsedDocument> {
  const none = (message: string) => ({ connections: [], problems: [{ path: '', message }], kinds: new Map() })
  if (isDeeper(document, agentConfigLimits.depthMax)) return none('is nested too deeply')
  const json = JSON.stringify(document)
  if (Buffer.byteLength(json) > agentConfigLimits.documentBytesMax)
    return none(`is larger than ${agentConfigLimits.documentBytesMax} bytes`)
  // JSON is YAML without aliases.
  const text = readConfigText(json)
  const kinds = await loadKinds(namedDrivers(text))
  const { problems } = text.source
  checkRemoteFields(text)
  const root = new Fields(text.source, text.root, '')
  // Fields that are not allowed are not read: their names say what is wrong.
  const parsed = problems.length > 0 ? [] : parseConnections(root, kinds)
  root.finish()
  if (problems.length === 0) {
    checkNames(parsed, local, problems)
    const nameOf = (index: number): string =>
      index < local.length ? "the agent's own file" : `connections[${index - local.length}]`
    checkTags([...local, ...parsed], problems, nameOf)
    checkPorts(parsed, ports, problems)
    await checkHosts(parsed, networks, problems)
  }
  return {
    connections: parsed.map((connection) => ({ connection, text: JSON.stringify(connection) })),
    problems: problems.map(({ path, message }) => ({ path, message })),
    kinds,
  }
}

/** The platform may set only the fields of this list: no files, no secrets, no simulated values. */
function checkRemoteFields({ root, source }: ConfigText): void {
  if (!isMap(root)) return
  const connections = root.get('connections')
  if (!isSeq(connections) || connections.items.length > configLimits.connectionsMax) return
  connections.items.forEach((item, index) => {
    if (!isMap(item)) return
    const path = `connections[${index}]`
    const driver = String(item.get('driver'))
    const own = remoteFields[driver]
    if (own === undefined) {
      const message = `is "${driver}", which cannot be configured remotely; possible are ${Object.keys(remoteFields).join(', ')}`
      source.problems.push({ path: `${path}.driver`, line: null, message })
      return
    }
    for (const { key } of item.items) {
      const name = String(key)
      if (own.includes(name) || commonFields.includes(name)) continue
      const message = "cannot be set remotely; it stands in the agent's own file only"
      source.problems.push({ path: `${path}.${name}`, line: null, message })
    }
  })
}

function checkNames(
  parsed: readonly DriverConnection[],
  local: readonly DriverConnection[],
  problems: ConfigProblem[],
): void {
  const taken = new Set(local.map(({ name }) => name))
  parsed.forEach(({ name }, index) => {
    const path = `connections[${index}].name`
    if (taken.has(name))
      problems.push({ path, line: null, message: `"${name}" is the name of another connection` })
    taken.add(name)
  })
}

function checkPorts(
  parsed: readonly DriverConnection[],
  ports: RemotePorts,
  problems: ConfigProblem[],
): void {
  parsed.forEach((connection, index) => {
    const message = ports.refusal(connection)
    const field = connection.driver === 'opcua' ? 'url' : 'port'
    if (message !== null) problems.push({ path: `connections[${index}].${field}`, line: null, message })
  })
}

async function checkHosts(
  parsed: readonly DriverConnection[],
  networks: Networks,
  problems: ConfigProblem[],
): Promise<void> {
  await Promise.all(
    parsed.map(async (connection, index) => {
      try {
        await networks.find(hostOf(connection))
      } catch (error) {
        if (!(error instanceof HostRefused)) throw error
        const field = connection.driver === 'opcua' ? 'url' : 'host'
        problems.push({ path: `connections[${index}].${field}`, line: null, message: error.message })
      }
    }),
  )
}

/** Whether lists and fields are nested deeper; without recursion, which a stranger's text could exhaust. */
function isDeeper(value: unknown, depthMax: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

/**
 * Leaves out of a document that is not right any more what is wrong: tags first, then connections. The hand-written file
 * may have taken their names, its networks may be narrower, or a driver's file be gone.
 */
export async function parseLeniently(
  document: RemoteDocument,
  rules: DocumentRules,
  onLeftOut: (problem: DocumentProblem) => void,
): Promise<ParsedDocument> {
  let left = document
  for (;;) {
    const parsed = await parseDocument(left, rules)
    if (parsed.problems.length === 0) return parsed
    for (const problem of parsed.problems) onLeftOut(problem)
    const next = withoutWrong(left, parsed.problems)
    // Each round leaves something out, so that the loop ends.
    if (JSON.stringify(next) === JSON.stringify(left)) left = { connections: [] }
    else left = next
  }
}

function withoutWrong({ connections }: RemoteDocument, problems: readonly DocumentProblem[]): RemoteDocument {
  const wrong = new Set(problems.map(({ path }) => /^connections\[\d+\](\.tags\[\d+\])?/.exec(path)?.[0]))
  return {
    connections: connections.flatMap((connection, index): RemoteFields[] => {
      if (wrong.has(`connections[${index}]`)) return []
      const { tags } = connection
      if (!Array.isArray(tags)) return [connection]
      return [
        { ...connection, tags: tags.filter((_, tag) => !wrong.has(`connections[${index}].tags[${tag}]`)) },
      ]
    }),
  }
}
