import { decodeTextStrictly, encodeText, plainTopic } from '@busbar/link'
import type { AlarmChange, Dialect, NodeCommand } from './dialect.ts'
import type { Sample } from './history.ts'
import { machineAttributes } from './machine-attributes.ts'
import { type MachineNode, type NodeOptions, startMachineNode } from './machine-node.ts'
import type { Message } from './mqtt-line.ts'
import type { MachineProfile, TagValue } from './profiles/profile.ts'

/** A write of all set-points of any profile is far below this. */
const requestBytesMax = 16_384

/** Starts a machine that uses the plain JSON of the ThingsBoard device API. */
export function startPlainJsonNode(options: NodeOptions): Promise<MachineNode> {
  return startMachineNode(options, createPlainJsonDialect)
}

/** `v1/devices/me/…`; every telemetry message carries `ts`, so that a repeat has no effect. */
function createPlainJsonDialect(code: string, profile: MachineProfile): Dialect {
  const nameOf = (tag: number) => profile.tags[tag]?.name ?? ''
  const encoding = profile.panel?.textEncoding ?? 'utf8'
  let seq = 0

  function json(topic: string, body: unknown): Message {
    return { topic, payload: encodeText(JSON.stringify(body), encoding) }
  }

  function telemetryOf({ at, values }: Sample): { ts: number; values: Record<string, TagValue> } {
    return { ts: at, values: Object.fromEntries(values.map((value, tag) => [nameOf(tag), value])) }
  }

  function alarmMessage({ alarm, raised, at }: AlarmChange): Message {
    return json(plainTopic.alarms, {
      id: alarm.id,
      state: raised ? 'raised' : 'cleared',
      level: alarm.level,
      text: alarm.text,
      ts: at,
    })
  }

  function parseRequest(topic: string, bytes: Uint8Array): NodeCommand[] {
    if (!topic.startsWith(plainTopic.rpcRequestPrefix) || bytes.byteLength > requestBytesMax) return []
    const id = topic.slice(plainTopic.rpcRequestPrefix.length)
    const reply = (body: unknown) => json(plainTopic.rpcResponsePrefix + id, body)
    const writes = writesOf(decodeTextStrictly(bytes, encoding))
    const results: Record<string, string> = {}
    return writes.map(([name, value], index) => ({
      kind: 'write',
      name,
      value,
      // One answer to one request: with the last of its writes.
      answer(verdict) {
        results[name] = verdict
        if (index < writes.length - 1) return undefined
        const refused = Object.values(results).find((result) => result !== 'written')
        return reply(refused === undefined ? { results } : { results, error: refused })
      },
    }))
  }

  return {
    subscriptions: [`${plainTopic.rpcRequestPrefix}+`],
    birth: (values, alarms, told, at) => [
      json(plainTopic.attributes, { ...machineAttributes(code, profile), ...objectsOf(told) }),
      json(plainTopic.telemetry, telemetryOf({ at, values })),
      ...alarms.map(alarmMessage),
    ],
    describe: (told) => json(plainTopic.attributes, objectsOf(told)),
    data: (due, at) =>
      json(plainTopic.telemetry, {
        ...(profile.panel ? { seq: ++seq } : {}),
        ts: at,
        values: Object.fromEntries(due.map(({ tag, value }) => [nameOf(tag), value])),
      }),
    readBack: ({ tag, value }, _write, at) =>
      json(plainTopic.telemetry, { ts: at, values: { [nameOf(tag)]: value } }),
    alarm: alarmMessage,
    marksPastAlarms: false,
    history: (samples) => json(plainTopic.telemetry, samples.map(telemetryOf)),
    historyBytes: (samples) => json(plainTopic.telemetry, samples.map(telemetryOf)).payload.byteLength,
    parse: parseRequest,
  }
}

function objectsOf(told: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries([...told].map(([name, value]) => [name, JSON.parse(value)]))
}

/**
 * The set-points of `{"method":"write","params":{tag: anything else contains none. anything else asks for
 * nothing.
 */
function writesOf(text: string | null): [string, TagValue][] {
  let request: unknown
  try {
    request = JSON.parse(text ?? '')
  } catch {
    return []
  }
  if (!isRecord(request) || request.method !== 'write' || !isRecord(request.params)) return []
  return Object.entries(request.params).filter((entry): entry is [string, TagValue] => isTagValue(entry[1]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTagValue(value: unknown): value is TagValue {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
}
