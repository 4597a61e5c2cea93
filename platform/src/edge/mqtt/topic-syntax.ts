/** A topic a message may carry: not empty, no wildcard, no U+0000 (MQTT 4.7). */
export function isTopicName(topic: string): boolean {
  return topic !== '' && !/[+#\0]/.test(topic)
}

/** `+` and `#` are alone between slashes, `#` at the end (MQTT 4.7.1). */
export function isTopicFilter(filter: string): boolean {
  if (filter === '') return false
  const parts = filter.split('/')
  return parts.every((part, index) => {
    if (part === '#') return index === parts.length - 1
    return part === '+' || !/[+#\0]/.test(part)
  })
}

/** Whether a filter matches a topic, character by character (MQTT 4.7). */
export function matchesTopic(filter: string, topic: string): boolean {
  const parts = filter.split('/')
  const names = topic.split('/')
  // Topics that begin with $ belong to the server, and wildcards do not match them (MQTT-4.7.2-1).
  if (topic.startsWith('$') && (parts[0] === '#' || parts[0] === '+')) return false
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    if (part === '#') return true
    if (index >= names.length || (part !== '+' && part !== names[index])) return false
  }
  return parts.length === names.length
}
