import { parseSparkplugTopic } from '@busbar/link'
import { isTopicFilter } from './topic-syntax.ts'

const plainPrefix = 'v1/devices/me/'
const sparkplugNamespace = 'spBv1.0'
/** Host states under Sparkplug 3.0 and 2.2. */
const statePrefixes = ['spBv1.0/STATE/', 'STATE/']
const topicBytesMax = 1_024
/** It becomes the name of a group. */
const otherTopicBytesMax = 512

/** The beginnings of topics that have a meaning of their own. */
const meantPrefixes = [plainPrefix, `${sparkplugNamespace}/`, 'STATE/', 'data/', 'cmd/']

/** The topics that a connection may publish and subscribe to. */
export interface TopicRights {
  /** Why not; undefined if it may. */
  whyNoPublish(topic: string): string | undefined
  maySubscribe(filter: string): boolean
}

/** The topics of a machine; `takesOther`: it may publish values on others than its own. */
export function machineTopics(code: string, takesOther: boolean): TopicRights {
  return {
    whyNoPublish: (topic) => whyNoPublish(code, topic, takesOther),
    maySubscribe: (filter) => maySubscribe(code, filter),
  }
}

/** Whether a topic is one of those that a machine may be set to publish values on (rules/wire.md: other topics). */
export function isOtherTopic(topic: string): boolean {
  return !meantPrefixes.some((prefix) => topic.startsWith(prefix))
}

/** Why a machine may not publish to a topic; undefined if it may: to its own only (rules/wire.md: topics). */
export function whyNoPublish(code: string, topic: string, takesOther: boolean): string | undefined {
  if (!isOtherTopic(topic)) return mayPublish(code, topic) ? undefined : 'the topic names another machine'
  if (!takesOther) return 'the topic is unknown, and the machine is not set to take other topics as values'
  return Buffer.byteLength(topic) > otherTopicBytesMax
    ? `a topic of more than ${otherTopicBytesMax} bytes`
    : undefined
}

function mayPublish(code: string, topic: string): boolean {
  if (topic.startsWith(plainPrefix)) return true
  if (topic.startsWith(`${sparkplugNamespace}/`)) {
    const parsed = parseSparkplugTopic(topic)
    return parsed !== null && parsed.type !== 'STATE' && parsed.edgeNode === code
  }
  return topic.startsWith(`data/${code}/`) || topic.startsWith(`cmd/${code}/`)
}

/** Whether a filter can match nothing but the machine's own topics and the platform's state. */
export function maySubscribe(code: string, filter: string): boolean {
  if (Buffer.byteLength(filter) > topicBytesMax || !isTopicFilter(filter)) return false
  if (filter.startsWith(plainPrefix)) return true
  if (statePrefixes.some((prefix) => filter.startsWith(prefix))) return true
  const parts = filter.split('/')
  if (parts[0] === sparkplugNamespace) return parts[3] === code && parts[1] !== '#' && parts[2] !== '#'
  return (parts[0] === 'data' || parts[0] === 'cmd') && parts[1] === code
}
