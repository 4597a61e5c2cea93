import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'

/** A receiver on a fast serial line sends 11 kB a second. */
const bytesPerSecondMax = 32 * 1_024
/** Receivers speak every second, without a fix too. */
const silenceMs = 60_000

export interface LineOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Longer lines are passed over. */
  readonly lineBytesMax: number
  /** Whether the line could be read. */
  readonly onLine: (line: string) => boolean
}

/**
 * Reads lines until the stream ends, and rejects then, or when none of them could be read for a minute. Beyond a measure of
 * bytes a second the stream is left to wait, and its sender with it.
 */
export function readLines(
  stream: Readable,
  { clock, signal, lineBytesMax, onLine }: LineOptions,
): Promise<void> {
  let rest = ''
  let isTooLong = false
  let takenBytes = 0
  let secondBeganMs = clock.monotonic()
  let cancelResume = (): void => undefined
  let cancelSilence = (): void => undefined

  function take(text: string): void {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = rest + text.slice(from, end)
      if (!isTooLong && line.length <= lineBytesMax && onLine(line.trimEnd())) watchSilence()
      rest = ''
      isTooLong = false
      from = end + 1
    }
    rest = isTooLong ? '' : rest + text.slice(from)
    if (rest.length > lineBytesMax) {
      isTooLong = true
      rest = ''
    }
  }

  function holdBack(bytes: number): void {
    const now = clock.monotonic()
    if (now - secondBeganMs >= 1_000) {
      secondBeganMs = now
      takenBytes = 0
    }
    takenBytes += bytes
    if (takenBytes < bytesPerSecondMax) return
    stream.pause()
    cancelResume = clock.after(secondBeganMs + 1_000 - now, () => stream.resume())
  }

  function watchSilence(): void {
    cancelSilence()
    cancelSilence = clock.after(silenceMs, () =>
      stream.destroy(new Error('nothing that can be read for a minute')),
    )
  }

  return new Promise<void>((resolve, reject) => {
    const end = (): void => void stream.destroy()
    signal.addEventListener('abort', end)
    stream.on('data', (bytes: Buffer) => {
      // Nothing that a source sends may end the agent.
      try {
        take(bytes.toString('latin1'))
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)))
      }
      holdBack(bytes.length)
    })
    let failure = new Error('the line was closed')
    stream.on('error', (error) => {
      failure = error
    })
    stream.on('end', end)
    const closed = (): void => {
      cancelResume()
      cancelSilence()
      signal.removeEventListener('abort', end)
      if (signal.aborted) resolve()
      else reject(failure)
    }
    stream.on('close', closed)
    watchSilence()
    // Both may have happened while it was opened.
    if (stream.closed) closed()
    else if (signal.aborted) end()
  })
}
