import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { AgentHealth } from '@busbar/link'
import type { IClientOptions, MqttClient } from 'mqtt'
import { connect } from 'mqtt'
import { WebSocket } from 'ws'
import type { Message } from './edge-node.ts'

const connectTimeoutMs = 10_000
const keepaliveSeconds = 20
const endMs = 500
// CONNACK: bad user name or password, not authorized; MQTT 3.1.1 (3.2.2.3) and 5 (3.2.2.2).
const refusedReasonCodes = new Set([4, 5, 0x86, 0x87])

export interface MqttSessionOptions {
  url: string
  /** User name and client id. */
  code: string
  secret: string
  will: Message
  commandTopic: string
}

export interface MqttSessionEvents {
  /** The connection is accepted and commands are subscribed to. */
  onOpen(commandsGranted: boolean): void
  onCommand(payload: Uint8Array): void
  /** Once, last. `refused` when the cloud does not know this code and secret. */
  onClose(reason: string, refused: boolean): void
}

/** The way that a connection takes; `roundTripMs` is from the newest message to its acknowledgement. */
export type SessionPath = Pick<AgentHealth['line'], 'family' | 'tls' | 'roundTripMs'>

/** One MQTT connection, from CONNECT to its end. */
export interface MqttSession {
  readonly path: SessionPath
  /** QoS 1; `onAcknowledged` runs at the PUBACK and never when the connection ends before. */
  publish(message: Message, onAcknowledged: () => void): void
  /**
   * Ends with DISCONNECT, so that the will is not sent. Resolves when the connection is closed, in half a
   * second.
   */
  end(): Promise<void>
  /** Ends without a word: the cloud sends the will. */
  abort(reason: string): void
}

/**
 * Opens a connection. Each connection has a new client: the library's reconnect would repeat unacknowledged
 * messages before the birth, and with the old will.
 */
export function openMqttSession(options: MqttSessionOptions, events: MqttSessionEvents): MqttSession {
  let closed = false
  let failure = { reason: 'connection closed', refused: false }

  let path: SessionPath = { family: null, tls: null, roundTripMs: null }
  let webSocket: WebSocket | null = null

  const client: MqttClient = connect({
    ...address(options.url),
    createWebsocket(url, protocols, { wsOptions }) {
      webSocket = new WebSocket(url, protocols, wsOptions as object)
      webSocket.once('upgrade', ({ socket }) => notePath(socket))
      return webSocket
    },
    protocolVersion: 4,
    clean: true,
    clientId: options.code,
    username: options.code,
    password: options.secret,
    keepalive: keepaliveSeconds,
    connectTimeout: connectTimeoutMs,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    will: { ...options.will, payload: Buffer.from(options.will.payload), qos: 1, retain: false },
  })

  function notePath(socket: unknown): void {
    const { remoteFamily = null } = socket as Pick<Socket, 'remoteFamily'>
    const family = remoteFamily === 'IPv4' || remoteFamily === 'IPv6' ? remoteFamily : null
    path = { ...path, family, tls: socket instanceof TLSSocket ? tlsOf(socket) : null }
  }

  client.on('connect', () => {
    if (webSocket === null) notePath(client.stream)
    client.subscribe(options.commandTopic, { qos: 1 }, (error, granted) => {
      if (closed || !client.connected) return
      events.onOpen(error === null && granted?.every((grant) => grant.qos !== 128) === true)
    })
  })
  client.on('message', (topic, payload) => {
    if (topic === options.commandTopic) events.onCommand(payload)
  })
  client.on('error', (error) => {
    const code = 'code' in error ? error.code : undefined
    failure = {
      reason: typeof code === 'string' ? code : error.message,
      refused: typeof code === 'number' && refusedReasonCodes.has(code),
    }
  })
  client.on('close', () => {
    if (closed) return
    closed = true
    client.end(true)
    events.onClose(failure.reason, failure.refused)
  })

  return {
    get path() {
      return path
    },
    publish(message, onAcknowledged) {
      const sentAtMs = performance.now()
      client.publish(message.topic, Buffer.from(message.payload), { qos: 1 }, (error) => {
        if (closed || error) return
        path = { ...path, roundTripMs: Math.round(performance.now() - sentAtMs) }
        onAcknowledged()
      })
    },
    end() {
      return new Promise((resolve) => {
        // A graceful end waits for acknowledgements that may never come, and a second call would not speed it
        // up.
        const timer = setTimeout(() => {
          client.stream.destroy()
          resolve()
        }, endMs)
        client.end(false, () => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
    abort(reason) {
      failure = { reason, refused: false }
      client.end(true)
    },
  }
}

function tlsOf(socket: TLSSocket): SessionPath['tls'] {
  const { issuer, fingerprint256, valid_to } = socket.getPeerCertificate()
  if (fingerprint256 === undefined) return null
  const { CN, O } = issuer as { CN?: string; O?: string }
  return {
    issuer: [CN, O].filter(Boolean).join(', '),
    fingerprint: fingerprint256,
    expireAt: Date.parse(valid_to),
  }
}

/** The address in parts: given a URL, the library would take it apart with a function Node warns about. */
function address(text: string): Pick<IClientOptions, 'protocol' | 'host' | 'port' | 'path'> {
  const url = new URL(text)
  const protocol = url.protocol.slice(0, -1) as 'mqtt' | 'mqtts' | 'ws' | 'wss'
  const isWebSocket = protocol === 'ws' || protocol === 'wss'
  return {
    protocol,
    // A socket wants an IPv6 address without its brackets, a WebSocket's URL with them.
    host: isWebSocket ? url.hostname : url.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    ...(isWebSocket ? { path: `${url.pathname}${url.search}` } : {}),
  }
}
