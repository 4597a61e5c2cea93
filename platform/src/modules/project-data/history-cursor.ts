import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PullScope } from './pull-cursor.ts'

/** Where a program stands that pulls a span of history. */
export interface HistoryCursor {
  /** The machines before this link are done, and this one up to `at`. */
  readonly linkId: number
  /** Epoch milliseconds, as the rest. */
  readonly at: number
  readonly from: number
  readonly to: number
}

const fields = ['linkId', 'at', 'from', 'to'] as const
const fieldBytes = 8
const bodyBytes = fields.length * fieldBytes
const sealBytes = 16

/** Writes and reads cursors of history: opaque texts that nobody else can make. */
export class HistoryCursors {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  format(scope: PullScope, cursor: HistoryCursor): string {
    const body = Buffer.alloc(bodyBytes)
    for (const [place, field] of fields.entries())
      body.writeBigUInt64BE(BigInt(cursor[field]), place * fieldBytes)
    return Buffer.concat([body, this.#seal(scope, body)]).toString('base64url')
  }

  /** Undefined for a text that was not made for this scope. */
  parse(scope: PullScope, text: string): HistoryCursor | undefined {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length !== bodyBytes + sealBytes) return undefined
    const body = bytes.subarray(0, bodyBytes)
    if (!timingSafeEqual(this.#seal(scope, body), bytes.subarray(bodyBytes))) return undefined
    const [linkId, at, from, to] = fields.map((_, place) =>
      Number(body.readBigUInt64BE(place * fieldBytes)),
    ) as [number, number, number, number]
    return { linkId, at, from, to }
  }

  #seal({ projectId, machineCode }: PullScope, body: Buffer): Buffer {
    const hmac = createHmac('sha256', this.#key).update(`${projectId} ${machineCode} `).update(body)
    return hmac.digest().subarray(0, sealBytes)
  }
}
