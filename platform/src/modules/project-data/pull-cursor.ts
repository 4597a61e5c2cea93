import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where a program stands that pulls rows. */
export interface PullCursor {
  /** The stream's epoch; empty while the project has no stream. */
  readonly epoch: string
  /** The last row of the page before. */
  readonly no: number
}

/** Cursors are only for the project and the machines that they were made for. */
export interface PullScope {
  readonly projectId: number
  /** Empty for all machines. */
  readonly machineCode: string
}

const epochBytes = 16
const noBytes = 8
const bodyBytes = epochBytes + noBytes
const sealBytes = 16

/** Writes and reads cursors: opaque texts that nobody else can make. */
export class PullCursors {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  format(scope: PullScope, { epoch, no }: PullCursor): string {
    const body = Buffer.alloc(bodyBytes)
    body.write(epoch.replaceAll('-', ''), 'hex')
    body.writeBigUInt64BE(BigInt(no), epochBytes)
    return Buffer.concat([body, this.#seal(scope, body)]).toString('base64url')
  }

  /** Undefined for a text that was not made for this scope. */
  parse(scope: PullScope, text: string): PullCursor | undefined {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length !== bodyBytes + sealBytes) return undefined
    const body = bytes.subarray(0, bodyBytes)
    if (!timingSafeEqual(this.#seal(scope, body), bytes.subarray(bodyBytes))) return undefined
    return {
      epoch: formatEpoch(body.subarray(0, epochBytes)),
      no: Number(body.readBigUInt64BE(epochBytes)),
    }
  }

  #seal({ projectId, machineCode }: PullScope, body: Buffer): Buffer {
    const hmac = createHmac('sha256', this.#key).update(`${projectId} ${machineCode} `).update(body)
    return hmac.digest().subarray(0, sealBytes)
  }
}

/** As PostgreSQL writes a uuid; empty for zeros. */
function formatEpoch(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  if (/^0+$/.test(hex)) return ''
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
