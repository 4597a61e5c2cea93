import { type PortCounts, portLimits } from '@busbar/link'

/** Longer than both ends keep a stream without a line. */
const keptMs = 2 * portLimits.keepMs

/** The line that a stream has here. */
interface OpenLine {
  /** The stream goes on over another line. */
  replace(): void
}

/** A stream of a visit: the line that it has here, and what its agent has told of its requests. */
export class PortStream {
  line: OpenLine | undefined
  timer: NodeJS.Timeout | undefined
  #counts: PortCounts | undefined

  /** `isNew`: nothing was counted elsewhere before. */
  constructor(isNew: boolean) {
    if (isNew) this.#counts = { reads: 0, writes: 0, refused: 0 }
  }

  /** Requests since the last time; of a stream that another process counted before, from the second time on. */
  addedBy(counts: PortCounts): PortCounts {
    const before = this.#counts ?? counts
    this.#counts = counts
    return {
      reads: Math.max(0, counts.reads - before.reads),
      writes: Math.max(0, counts.writes - before.writes),
      refused: Math.max(0, counts.refused - before.refused),
    }
  }
}

/** The streams of visits that have a line here, or had one a moment ago. */
export class PortStreams {
  readonly #visits = new Map<number, Map<string, PortStream>>()

  /** Gives a stream a line in place of the one that it may have; undefined where its visit has as many as it may. */
  begin(visitId: number, streamId: string, line: OpenLine, isNew: boolean): PortStream | undefined {
    const streams = this.#visits.get(visitId) ?? new Map<string, PortStream>()
    const known = streams.get(streamId)
    const open = [...streams.values()].filter((one) => one.line && one !== known)
    if (open.length >= portLimits.streamsMax) return undefined
    const stream = known ?? new PortStream(isNew)
    clearTimeout(stream.timer)
    const former = stream.line
    stream.line = line
    this.#visits.set(visitId, streams.set(streamId, stream))
    former?.replace()
    return stream
  }

  /** A line ended; its stream may go on over another for a while. */
  end(visitId: number, streamId: string, line: OpenLine): void {
    const streams = this.#visits.get(visitId)
    const stream = streams?.get(streamId)
    if (!streams || stream?.line !== line) return
    stream.line = undefined
    stream.timer = setTimeout(() => {
      streams.delete(streamId)
      if (streams.size === 0 && this.#visits.get(visitId) === streams) this.#visits.delete(visitId)
    }, keptMs)
    stream.timer.unref()
  }
}
