import {
  decodeSparkplugPayload,
  metricValue,
  type SparkplugMetric,
  type SparkplugPayload,
} from '@busbar/link'

/** A message of an edge node as a host reads it. */
export interface HostMessage extends SparkplugPayload {
  readonly type: string
  readonly node: string
  readonly device: string | undefined
}

export function readMessage(topic: string, payload: Uint8Array): HostMessage {
  const [, , type = '', node = '', device] = topic.split('/')
  return { type, node, device, ...decodeSparkplugPayload(payload) }
}

export function valueIn(metrics: readonly SparkplugMetric[], name: string) {
  const metric = metrics.find((each) => each.name === name)
  return metric && metricValue(metric, metric.datatype)
}

/** As a host reads a node: what breaks the order of its messages, which were heard each once. */
export function findDisorder(messages: readonly HostMessage[]): string[] {
  const faults: string[] = []
  let next: number | undefined
  let bdSeq: unknown
  let isAlive = false
  let born = new Map<string, Map<string, number | undefined>>()
  for (const { type, seq, device = '', metrics } of messages) {
    const own = valueIn(metrics, 'bdSeq')
    if (type === 'NDEATH') {
      if (own !== bdSeq) faults.push('a death of another connection')
      isAlive = false
      next = undefined
      continue
    }
    if (type === 'NBIRTH') {
      if (seq !== 0) faults.push('a birth with another number than 0')
      if (isAlive && own !== bdSeq) faults.push('a connection without a death')
      if (!isAlive && own === bdSeq) faults.push('a connection that was not counted')
      isAlive = true
      bdSeq = own
      born = new Map()
    } else if (seq !== next) faults.push(`${type} ${seq} instead of ${next}`)
    if (type === 'DBIRTH')
      born.set(device, new Map(metrics.map(({ name = '', datatype }) => [name, datatype])))
    if (type === 'DDATA')
      for (const { name = '', datatype } of metrics)
        if (born.get(device)?.get(name) !== datatype) faults.push(`${name} was not born so`)
    next = ((seq ?? 0) + 1) % 256
  }
  return faults
}
