import { LinkError } from '../link-error.ts'

const namespace = 'spBv1.0'

const nodeMessageTypes = ['NBIRTH', 'NDEATH', 'NDATA', 'NCMD'] as const
const deviceMessageTypes = ['DBIRTH', 'DDEATH', 'DDATA', 'DCMD'] as const

export type NodeMessageType = (typeof nodeMessageTypes)[number]
export type DeviceMessageType = (typeof deviceMessageTypes)[number]

/** The parts of a Sparkplug topic (Sparkplug 3.0, section 4.1). STATE belongs to a host, not to a node. */
export type SparkplugTopic =
  | { type: NodeMessageType; group: string; edgeNode: string }
  | { type: DeviceMessageType; group: string; edgeNode: string; device: string }
  | { type: 'STATE'; hostId: string }

/** Null for any other topic; that is not an error, because strangers may publish any topic. */
export function parseSparkplugTopic(topic: string): SparkplugTopic | null {
  const parts = topic.split('/')
  if (parts[0] !== namespace || parts.some((part) => !isIdentifier(part))) return null
  const [, group, type, edgeNode, device] = parts
  if (parts.length === 3 && group === 'STATE' && type !== undefined) return { type: 'STATE', hostId: type }
  if (group === undefined || type === undefined || edgeNode === undefined) return null
  if (parts.length === 4 && isOneOf(nodeMessageTypes, type)) return { type, group, edgeNode }
  if (parts.length === 5 && device !== undefined && isOneOf(deviceMessageTypes, type)) {
    return { type, group, edgeNode, device }
  }
  return null
}

/** The topic's text. Throws `LinkError` `topic` for an empty identifier or one with `+`, `#` or `/`. */
export function formatSparkplugTopic(topic: SparkplugTopic): string {
  const parts =
    topic.type === 'STATE'
      ? ['STATE', topic.hostId]
      : 'device' in topic
        ? [topic.group, topic.type, topic.edgeNode, topic.device]
        : [topic.group, topic.type, topic.edgeNode]
  for (const part of parts) {
    if (!isIdentifier(part)) throw new LinkError('topic', `"${part}" cannot be part of a Sparkplug topic`)
  }
  return [namespace, ...parts].join('/')
}

function isIdentifier(part: string): boolean {
  return part !== '' && !/[+#/]/.test(part)
}

function isOneOf<T extends string>(list: readonly T[], text: string): text is T {
  return (list as readonly string[]).includes(text)
}
