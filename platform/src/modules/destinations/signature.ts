import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytes = 32

/** A new secret of a destination, as its receiver gets it. */
export const newSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64')

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(secretPrefix.length), 'base64')

/**
 * The headers by which a receiver knows a request: ours, which signs `t.body`, and those of Standard
 * Webhooks 1.0.0. Each has one signature for each secret that is valid.
 */
export function signatureHeaders(options: {
  readonly id: string
  readonly body: Buffer
  readonly secrets: readonly string[]
  /** Epoch milliseconds. */
  readonly now: number
}): Record<string, string> {
  const { id, body, now } = options
  const keys = options.secrets.map(keyOf)
  const seconds = Math.floor(now / 1_000)
  const own = keys.map((key) => `v1=${sign(key, `${now}.`, body).toString('hex')}`)
  const standard = keys.map((key) => `v1,${sign(key, `${id}.${seconds}.`, body).toString('base64')}`)
  return {
    'busbar-signature': [`t=${now}`, ...own].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standard.join(' '),
  }
}

const sign = (key: Buffer, before: string, body: Buffer): Buffer =>
  createHmac('sha256', key).update(before).update(body).digest()
