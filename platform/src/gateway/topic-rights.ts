import { parseSparkplugTopic } from '@busbar/link'

const plainPrefix = 'v1/devices/me/'
const sparkplugNamespace = 'spBv1.0'
/** Host states under Sparkplug 3.0 and 2.2. */
const statePrefixes = ['spBv1.0/STATE/', 'STATE/']
const topicBytesMax = 1_024

/** Whether a machine may publish to a topic: only to its own (machine-protocol.md, Identity). */
export function mayPublish(code: string, topic: string): boolean {
  if (topic.startsWith(plainPrefix)) return true
  if (topic.startsWith(`${sparkplugNamespace}/`)) {
    const parsed = parseSparkplugTopic(topic)
    return parsed !== null && parsed.type !== 'STATE' && parsed.edgeNode === code
  }
  return topic.startsWith(`data/${code}/`) || topic.startsWith(`cmd/${code}/`)
}

/** Whether a filter can match nothing but the machine's own topics and the platform's state. */
export function maySubscribe(code: string, filter: string): boolean {
  if (Buffer.byteLength(filter) > topicBytesMax || !isFilter(filter)) return false
  if (filter.startsWith(plainPrefix)) return true
  if (statePrefixes.some((prefix) => filter.startsWith(prefix))) return true
  const parts = filter.split('/')
  if (parts[0] === sparkplugNamespace) return parts[3] === code && parts[1] !== '#' && parts[2] !== '#'
  return (parts[0] === 'data' || parts[0] === 'cmd') && parts[1] === code
}

/** A topic a PUBLISH may carry: not empty, no wildcard, no NUL, no text that was not UTF-8 (MQTT 4.7). */
export function isTopicName(topic: string): boolean {
  return topic !== '' && !/[+#\0\ufffd]/.test(topic)
}

/** `+` and `#` stand alone between slashes, `#` at the end (MQTT 4.7.1). */
function isFilter(filter: string): boolean {
  const parts = filter.split('/')
  return parts.every((part, index) => {
    if (part === '#') return index === parts.length - 1
    return part === '+' || !/[+#\0]/.test(part)
  })
}

/** Whether a filter matches a topic. */
export function matchesTopic(filter: string, topic: string): boolean {
  const parts = filter.split('/')
  const names = topic.split('/')
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    if (part === '#') return true
    if (index >= names.length || (part !== '+' && part !== names[index])) return false
  }
  return parts.length === names.length
}
