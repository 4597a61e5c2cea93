import type { ClientBase, Connection, Submittable } from 'pg'

/** COPY OUT hands over blocks of about this size, whatever the rows' sizes. */
const blockBytes = 64 * 1024
/** Chunks sent before others get their turn, when nothing else makes us wait. */
const chunksPerTurn = 64
/** This much may wait for a slow reader before the socket is paused. */
const waitingBytesMax = 1024 * 1024

/** The part of pg's connection that COPY needs and its types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/**
 * Runs `COPY … FROM STDIN` and sends it `chunks`, which may be cut anywhere. Resolves to the number of rows. When
 * `chunks` throws, the COPY is undone and the error passed on. One chunk in an array is sent with the statement, without
 * the way to the server and back that would ask for it; a server that is not copying ignores it.
 */
export function copyIn(
  client: ClientBase,
  text: string,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(text, chunks, resolve, reject))
  })
}

/**
 * Runs `COPY … TO STDOUT` and yields the bytes that it sends; returns the number of rows. A reader that stops early
 * destroys the connection: a running COPY cannot be stopped in another way.
 */
export async function* copyOut(client: ClientBase, text: string): AsyncGenerator<Buffer, number> {
  const blocks = copyOutEach(client, [text])
  try {
    for (;;) {
      const next = await blocks.next()
      if (next.done) return next.value
      yield next.value.bytes
    }
  } finally {
    await blocks.return(0)
  }
}

/** A piece of the output of one of several statements. */
export interface CopiedBlock {
  /** Which of the statements. */
  readonly place: number
  readonly bytes: Buffer
}

/**
 * The same for several statements, one after the other, in one round trip. Each sees the rows committed before it
 * began. Throws the signal's reason at once when it is aborted, also while the server is still silent.
 */
export async function* copyOutEach(
  client: ClientBase,
  texts: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<CopiedBlock, number> {
  signal?.throwIfAborted()
  const query = new CopyOut(texts.join(';'))
  client.query(query)
  let whole = false
  const stop = () => query.abandon(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const block = await query.next()
      if (typeof block === 'number') {
        whole = true
        return block
      }
      yield block
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    if (!whole) query.abandon(undefined)
  }
}

/** pg calls these methods of a query object; see `Query` in pg/lib/query.js. */
abstract class CopyQuery implements Submittable {
  readonly text: string
  protected connection: CopyConnection | undefined
  protected rows = 0

  constructor(text: string) {
    this.text = text
  }

  submit(connection: Connection): void {
    this.connection = connection as CopyConnection
    connection.query(this.text)
  }

  handleCommandComplete(message: { text: string }): void {
    this.rows += Number(/^COPY (\d+)$/.exec(message.text)?.[1] ?? 0)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  abstract handleError(error: Error): void
  abstract handleReadyForQuery(): void
  abstract handleCopyInResponse(): void
  abstract handleCopyData(message: { chunk: Buffer }): void
}

class CopyIn extends CopyQuery {
  readonly #chunks: Iterable<Buffer> | AsyncIterable<Buffer>
  readonly #resolve: (rows: number) => void
  readonly #reject: (error: unknown) => void
  readonly #goesAlong: boolean
  #failure: { error: unknown } | undefined
  #ended = false

  constructor(
    text: string,
    chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
    resolve: (rows: number) => void,
    reject: (error: unknown) => void,
  ) {
    super(text)
    this.#chunks = chunks
    this.#goesAlong = Array.isArray(chunks) && chunks.length <= 1
    this.#resolve = resolve
    this.#reject = reject
  }

  override submit(connection: Connection): void {
    super.submit(connection)
    if (this.#goesAlong) void this.#send()
  }

  handleCopyInResponse(): void {
    if (!this.#goesAlong) void this.#send()
  }

  handleCopyData(): void {}

  handleError(error: Error): void {
    this.#ended = true
    this.#reject(this.#failure ? this.#failure.error : error)
  }

  handleReadyForQuery(): void {
    this.#ended = true
    this.#resolve(this.rows)
  }

  async #send(): Promise<void> {
    const connection = this.connection
    if (!connection) return
    try {
      let chunks = 0
      for await (const chunk of this.#chunks) {
        if (this.#ended) return
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await drained(connection)
        // A lost connection never needs draining, and is noticed only when the event loop turns.
        else if (++chunks % chunksPerTurn === 0 || !connection.stream.writable) await turn()
      }
      if (!this.#ended) connection.endCopyFrom()
    } catch (error) {
      if (this.#ended) return
      this.#failure = { error }
      connection.sendCopyFail('the source of the rows failed')
    }
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function drained(connection: Connection): Promise<void> {
  const { stream } = connection
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}

class CopyOut extends CopyQuery {
  readonly #blocks: CopiedBlock[] = []
  /** Which of the statements sends. */
  #place = 0
  #filling = Buffer.allocUnsafe(blockBytes)
  #filled = 0
  #waitingBytes = 0
  #wake: (() => void) | undefined
  #end: { rows: number } | { error: unknown } | undefined

  async next(): Promise<CopiedBlock | number> {
    for (;;) {
      const block = this.#blocks.shift()
      if (block) {
        this.#waitingBytes -= block.bytes.length
        if (this.#waitingBytes < waitingBytesMax / 2) this.connection?.stream.resume()
        return block
      }
      if (this.#end) {
        if ('error' in this.#end) throw this.#end.error
        return this.#end.rows
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Ends it with an error where it is not over. */
  abandon(error: unknown): void {
    if (this.#end) return
    this.connection?.stream.destroy()
    this.#end = { error }
    this.#wake?.()
  }

  handleCopyInResponse(): void {
    this.connection?.sendCopyFail('this COPY only reads')
  }

  /** pg uses the chunk's memory again, so it is copied. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#filled + chunk.length > blockBytes) this.#pushFilled()
    if (chunk.length > blockBytes) {
      this.#push(Buffer.from(chunk))
    } else {
      chunk.copy(this.#filling, this.#filled)
      this.#filled += chunk.length
    }
  }

  override handleCommandComplete(message: { text: string }): void {
    super.handleCommandComplete(message)
    this.#pushFilled()
    this.#place++
  }

  handleError(error: Error): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  handleReadyForQuery(): void {
    this.#pushFilled()
    this.#end ??= { rows: this.rows }
    this.#wake?.()
  }

  #pushFilled(): void {
    if (this.#filled === 0) return
    const block = this.#filling.subarray(0, this.#filled)
    this.#filling = Buffer.allocUnsafe(blockBytes)
    this.#filled = 0
    this.#push(block)
  }

  #push(bytes: Buffer): void {
    this.#blocks.push({ place: this.#place, bytes })
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes > waitingBytesMax) this.connection?.stream.pause()
    this.#wake?.()
  }
}
