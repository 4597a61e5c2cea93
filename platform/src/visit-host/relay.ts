import type { Readable, Writable } from 'node:stream'
import type { VisitHold } from '../modules/visits/index.ts'
import { GatheredWrites } from './gathered-writes.ts'

export interface RelayOptions {
  readonly hold: Pick<VisitHold, 'mayPass' | 'whenMayPass'>
  /** Called for each piece when it is passed on. */
  passed(piece: Buffer): void
  /** The source ended, and all of it was passed on. */
  ended(): void
  /** The visit's right to pass data has ended. */
  refused(): void
}

/** A relay under way. */
export interface Relay {
  /** The source has ended and its last pieces wait to be passed on. */
  readonly isEnding: boolean
  /** Stops passing data on: the rest is read and dropped. */
  drop(): void
}

/**
 * Passes the data of a source on, as `pipe` does; after a stall of this process it waits until the visit may continue.
 * A source reports its end even while it is paused: the end waits for the pieces before it.
 */
export function relay(source: Readable, target: Writable, options: RelayOptions): Relay {
  const { hold, passed, ended, refused } = options
  const waiting: Buffer[] = []
  let isWaiting = false
  let hasEnded = false
  let isOver = false
  const gathered = new GatheredWrites(target)

  const pass = (piece: Buffer) => {
    if (isOver) return
    passed(piece)
    if (target.destroyed || target.writableEnded) return
    gathered.add(piece.length)
    if (!target.write(piece)) source.pause()
  }
  const finish = () => {
    isOver = true
    ended()
  }
  const awaitSight = async () => {
    isWaiting = true
    source.pause()
    const mayPass = await hold.whenMayPass().catch(() => false)
    isWaiting = false
    if (isOver) return
    if (!mayPass) {
      isOver = true
      refused()
      return
    }
    source.resume()
    for (const piece of waiting.splice(0)) pass(piece)
    if (hasEnded) finish()
  }

  source.on('data', (piece: Buffer) => {
    if (isOver) return
    if (!isWaiting && hold.mayPass()) return pass(piece)
    waiting.push(piece)
    if (!isWaiting) void awaitSight()
  })
  source.once('end', () => {
    hasEnded = true
    if (isWaiting || isOver) return
    if (hold.mayPass()) finish()
    else void awaitSight()
  })
  source.once('close', () => {
    // The stream is cut before its end, so its waiting pieces are dropped.
    if (!hasEnded) isOver = true
  })
  target.on('drain', () => {
    if (!isWaiting) source.resume()
  })
  return {
    get isEnding() {
      return hasEnded && !isOver
    },
    drop() {
      isOver = true
      source.resume()
    },
  }
}
