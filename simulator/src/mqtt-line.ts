import { connect, type MqttClient } from 'mqtt'

/** One message of a machine, always QoS 1. */
export interface Message {
  topic: string
  payload: Uint8Array
}

export interface LineOptions {
  /** `mqtt://host:port`, `mqtts://…`, `ws://…/mqtt`. */
  url: string
  code: string
  secret: string
  /** Called at each attempt, because a will may change from one connection to the next. */
  will?: () => Message
  subscriptions: readonly string[]
  /** Connected and subscribed. */
  onOpen: () => void
  onMessage: (topic: string, payload: Uint8Array) => void
  /** An open connection was lost or dropped. */
  onClose: () => void
}

/** A machine's MQTT connection that reconnects automatically. */
export interface Line {
  readonly isOpen: boolean
  /** Connects, and keeps trying until `drop` or `close`. */
  open(): void
  /** Resolves at the PUBACK; rejects if the connection ends first. */
  publish(message: Message): Promise<void>
  /** Cuts the connection silently, as a bad line does. */
  drop(): void
  /** Sends DISCONNECT, waiting at most `closeTimeoutMs`. */
  close(): Promise<void>
}

const retryFirstMs = 1_000
const retryMostMs = 30_000
const closeTimeoutMs = 1_000
const connectTimeoutMs = 10_000
const keepaliveS = 30

/** A line over MQTT 3.1.1 with clean sessions; messages can be sent only after `open`. */
export function createLine(options: LineOptions): Line {
  let client: MqttClient | undefined
  let isOpen = false
  let wanted = false
  let retryMs = retryFirstMs
  let retryTimer: NodeJS.Timeout | undefined
  let waiting = new Set<(reason: Error) => void>()

  function attempt(): void {
    const will = options.will?.()
    const current = connect(options.url, {
      clientId: options.code,
      username: options.code,
      password: options.secret,
      protocolVersion: 4,
      clean: true,
      keepalive: keepaliveS,
      connectTimeout: connectTimeoutMs,
      // Retries are ours: a new attempt may need a new will.
      reconnectPeriod: 0,
      resubscribe: false,
      ...(will
        ? { will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: false } }
        : {}),
    })
    client = current
    // Without a listener a refused connection would end the process; `close` follows and retries.
    current.on('error', () => {})
    current.on('message', (topic, payload) => {
      if (current === client) options.onMessage(topic, payload)
    })
    current.on('connect', () => {
      current.subscribe([...options.subscriptions], { qos: 1 }, (error) => {
        if (current !== client) return
        if (error) {
          current.end(true)
          return
        }
        isOpen = true
        retryMs = retryFirstMs
        options.onOpen()
      })
    })
    current.on('close', () => {
      if (current !== client) return
      client = undefined
      closed()
      if (wanted) retryLater()
    })
  }

  function closed(): void {
    const wasOpen = isOpen
    isOpen = false
    const left = waiting
    waiting = new Set()
    for (const reject of left) reject(new Error('the connection closed before the PUBACK'))
    if (wasOpen) options.onClose()
  }

  function retryLater(): void {
    // Many machines lose the same platform at the same moment: spread their return.
    retryTimer = setTimeout(attempt, retryMs * (0.7 + 0.6 * Math.random()))
    retryMs = Math.min(retryMs * 2, retryMostMs)
  }

  function letGo(): MqttClient | undefined {
    wanted = false
    clearTimeout(retryTimer)
    const current = client
    client = undefined
    return current
  }

  return {
    get isOpen() {
      return isOpen
    },
    open() {
      if (wanted) return
      wanted = true
      retryMs = retryFirstMs
      attempt()
    },
    publish(message) {
      const current = client
      if (!isOpen || current === undefined) return Promise.reject(new Error('the line is not open'))
      return new Promise((resolve, reject) => {
        waiting.add(reject)
        current.publish(message.topic, Buffer.from(message.payload), { qos: 1 }, (error) => {
          waiting.delete(reject)
          if (error) reject(error)
          else resolve()
        })
      })
    },
    drop() {
      const current = letGo()
      current?.end(true)
      closed()
    },
    async close() {
      const current = letGo()
      if (current !== undefined) {
        const timeout = Promise.withResolvers<void>()
        const timer = setTimeout(timeout.resolve, closeTimeoutMs)
        await Promise.race([current.endAsync(!isOpen), timeout.promise])
        clearTimeout(timer)
        current.end(true)
      }
      closed()
    },
  }
}
