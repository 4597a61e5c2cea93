import { type PortWrite, portLimits } from '@busbar/link'
import { KnownValues } from './known-values.ts'

/** A tool's write to one place, which takes a cell or a few that follow. */
export interface PlaceWrite extends Pick<PortWrite, 'unit' | 'place'> {
  readonly cell: number
  /** Of each cell the bits that are written, and those that a text of the value shows. */
  readonly mask: number
  readonly shown: number
  readonly values: readonly number[]
  /** The value, where it cannot be told because bits that stay are not known. */
  readonly words?: string
  format(values: readonly number[]): string
}

/** A write whose answer is waited for. */
export interface AskedWrite {
  readonly write: PlaceWrite
  /** The value that was known before. */
  readonly from: string | null
  /** By the clock of the stream, in milliseconds. */
  readonly at: number
}

/** A place as it is kept: with times instead of ages. */
type Noted = Omit<PortWrite, 'firstAgoMs' | 'lastAgoMs'> & {
  readonly firstAt: number
  readonly lastAt: number
}

/** The variable of the agent's file at a place. */
export type TagAt = (unit: number | null, place: string) => PortWrite['tag']

/** The places that a tool wrote in one stream, with their values before and after. */
export class WrittenPlaces {
  readonly #now: () => number
  readonly #tagAt: TagAt
  readonly #known = new KnownValues()
  readonly #writes = new Map<string, Noted>()
  readonly #news = new Set<string>()

  /** `now`: a clock that never steps, in milliseconds. */
  constructor(now: () => number, tagAt: TagAt) {
    this.#now = now
    this.#tagAt = tagAt
  }

  /** A value that passed. */
  know(cell: number, mask: number, bits: number): void {
    this.#known.know(cell, mask, bits)
  }

  /** A tool asked for a write. */
  ask(write: PlaceWrite): AskedWrite {
    return { write, from: this.#valueAt(write), at: this.#now() }
  }

  /** The controller did it. */
  done({ write, at }: AskedWrite): void {
    const from = this.#valueAt(write)
    const { cell, mask, values, words } = write
    for (const [place, bits] of values.entries()) this.#known.know(cell + place, mask, bits)
    const to = words === undefined ? write.format(values) : (this.#valueAt(write) ?? words)
    this.#note(write, { from, to, at })
  }

  /** The controller may have done it: values that came later do not tell the one before. */
  maybeDone({ write, from, at }: AskedWrite): void {
    this.#note(write, { from, to: write.words ?? write.format(write.values), at })
  }

  get hasNews(): boolean {
    return this.#news.size > 0
  }

  /** The places written since the last call, each from before its first write to after its last. */
  takeNews(): PortWrite[] {
    const now = this.#now()
    const agoOf = (at: number) => Math.max(0, Math.round(now - at))
    const writes = [...this.#news].flatMap((key) => {
      const noted = this.#writes.get(key)
      if (noted === undefined) return []
      const { firstAt, lastAt, ...write } = noted
      return [{ ...write, firstAgoMs: agoOf(firstAt), lastAgoMs: agoOf(lastAt) }]
    })
    this.#news.clear()
    return writes
  }

  /** All are news again. */
  renew(): void {
    for (const key of this.#writes.keys()) this.#news.add(key)
  }

  #valueAt({ cell, shown, values, format }: PlaceWrite): string | null {
    const known: number[] = []
    for (let at = 0; at < values.length; at++) {
      const value = this.#known.find(cell + at, shown)
      if (value === null) return null
      known.push(value)
    }
    return format(known)
  }

  #note(
    { unit, place }: PlaceWrite,
    { from, to, at }: { from: string | null; to: string; at: number },
  ): void {
    const key = `${unit ?? ''} ${place}`
    const before = this.#writes.get(key)
    if (before === undefined) {
      if (this.#writes.size >= portLimits.writtenPlacesMax) return
      const tag = this.#tagAt(unit, place)
      this.#writes.set(key, { unit, place, from, to, firstAt: at, lastAt: at, tag })
    } else {
      this.#writes.set(key, {
        ...before,
        // One that was asked before is told later where its answer did not come.
        to: at < before.lastAt ? before.to : to,
        firstAt: Math.min(at, before.firstAt),
        lastAt: Math.max(at, before.lastAt),
      })
    }
    this.#news.add(key)
  }
}
