import type { LocalClock } from '../local-time.ts'
import type { Uplink } from '../uplink.ts'

/** The origin of a message of a published format. */
export interface Source {
  /** The group that its topic names; empty if there is none. */
  readonly group: string
  readonly clock: LocalClock
  /** When it came, epoch milliseconds. */
  readonly now: number
}

/** A format that a maker published, known by the shape of its messages. */
export interface Format {
  readonly name: string
  /** Whether a body is of this format beyond doubt; no two formats claim one body. */
  claims(json: object): boolean
  /** Only for a body that it claims. */
  read(json: object, source: Source): Uplink
}

/** In a list, entries further from now than this were kept (rules/telemetry.md: late samples). */
const backlogMsMin = 5 * 60_000

export const isBacklog = (time: number, now: number): boolean => Math.abs(time - now) > backlogMsMin

/** A group in the group of the topic, unless that names it already. */
export function groupWithin({ group }: Source, own: string): string {
  if (group === '' || own === '') return group + own
  return group.includes(own) ? group : `${group}/${own}`
}
