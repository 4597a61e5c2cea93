import type { agentConfig } from '@busbar/contract'

export type Connection = agentConfig.AgentConnection
export type Tag = Readonly<Record<string, unknown>>

/** A field of a connection or a variable as text; empty if it is not set. */
export function textOf(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export function tagsOf(connection: Connection): readonly Tag[] {
  return Array.isArray(connection.tags) ? (connection.tags as Tag[]) : []
}

export function withTags(connection: Connection, tags: readonly Tag[]): Connection {
  return { ...connection, tags: tags as Connection['tags'] } as Connection
}

/** The address that a connection leads to, for a person. */
export function leadsTo(connection: Connection): string {
  const url = textOf(connection, 'url')
  if (url) return url
  const port = textOf(connection, 'port')
  return `${textOf(connection, 'host')}${port ? `:${port}` : ''}`
}

const nameCharactersMax = 64

/** A name that the agent takes, and that no variable of the group has. */
export function freeName(wished: string, group: string, tags: readonly Tag[]): string {
  const taken = new Set(
    tags.filter((tag) => textOf(tag, 'group') === group).map((tag) => textOf(tag, 'name')),
  )
  const clean =
    wished
      .replaceAll('/', '_')
      .replaceAll(/\p{Cc}/gu, '')
      .trim() || 'tag'
  const base = clean.slice(0, nameCharactersMax - 4)
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base} ${count}`
    if (!taken.has(name)) return name
  }
}

/** Adds a variable for a node, or removes the one that reads it. */
export function toggleNode(connection: Connection, node: agentConfig.AgentNode): Connection {
  const tags = tagsOf(connection)
  if (tags.some((tag) => tag.nodeId === node.nodeId)) {
    return withTags(
      connection,
      tags.filter((tag) => tag.nodeId !== node.nodeId),
    )
  }
  const group = textOf(connection, 'name')
  return withTags(connection, [
    ...tags,
    {
      name: freeName(node.name, group, tags),
      group,
      nodeId: node.nodeId,
      ...(node.type ? { type: node.type } : {}),
    },
  ])
}

/** The same for an address in a Modbus device. */
export function toggleRegister(
  connection: Connection,
  { address, type, wordOrder }: { address: string; type: string; wordOrder: string | null },
): Connection {
  const tags = tagsOf(connection)
  const isSame = (tag: Tag) =>
    tag.address === address && tag.type === type && (wordOrder === null || tag.wordOrder === wordOrder)
  if (tags.some(isSame)) {
    return withTags(
      connection,
      tags.filter((tag) => !isSame(tag)),
    )
  }
  const group = textOf(connection, 'name')
  return withTags(connection, [
    ...tags,
    {
      name: freeName(address.replace(':', ' '), group, tags),
      group,
      address,
      type,
      ...(wordOrder === null ? {} : { wordOrder }),
    },
  ])
}

/** Variables follow the name of their connection if it is their group. */
export function renamed(connection: Connection, before: string): Connection {
  const name = textOf(connection, 'name')
  if (name === before) return connection
  return withTags(
    connection,
    tagsOf(connection).map((tag) => (tag.group === before ? { ...tag, group: name } : tag)),
  )
}
