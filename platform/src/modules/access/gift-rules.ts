import type { ErrorCode } from '@busbar/contract'
import type { Access } from './access-rules.ts'

/** A person's rights to a machine, present or planned; a grant is one. */
export interface Share {
  readonly readOnly: boolean
  /** Whether the machine's alarms are sent to them. */
  readonly alarms: boolean
  /** Null: no expiry. */
  readonly until: Date | null
}

/** A right that a giver lacks, as its error. */
export type Lack = Extract<ErrorCode, 'GIVER_READ_ONLY' | 'GIVER_WITHOUT_ALARMS' | 'GIVER_ENDS_EARLIER'>

/** The share of an Akey; the machine's password counts as an Akey's consent. */
export const everything: Share = { readOnly: false, alarms: true, until: null }
export const nothing: Share = { readOnly: true, alarms: false, until: new Date(0) }

/** A person's share of a machine: an Akey, and an enterprise's owner or administrator, have all of it. */
export function shareOf({ rights, readOnly, alarms, endsAt }: Access): Share {
  if (rights.has('akey')) return everything
  if (!rights.has('holder')) return nothing
  return { readOnly, alarms, until: endsAt === undefined ? null : new Date(endsAt) }
}

/**
 * The rule of giving (`docs/decisions/0025-giving.md`): people can give at most the rights they have. `given` is the
 * part of `wished` that the giver has, `lacks` the rights missing for the rest. Rights that the receiver already has,
 * `held`, are not given: but a longer time gives both the mode and the alarms for the additional time. A time that the
 * giver lacks never shortens the receiver's time in the same mode (rules/access.md: giving).
 */
export function weighGift(
  giver: Share,
  wished: Share,
  held: Share = nothing,
): { readonly given: Share; readonly lacks: readonly Lack[] } {
  const isLonger = isLater(wished.until, held.until)
  const givesMode = !wished.readOnly && (held.readOnly || isLonger)
  const givesAlarms = wished.alarms && (!held.alarms || isLonger)
  const lacksMode = givesMode && giver.readOnly
  const lacksAlarms = givesAlarms && !giver.alarms
  const lacksTime = (isLonger || givesMode || givesAlarms) && isLater(wished.until, giver.until)
  const readOnly = wished.readOnly || lacksMode
  const keepsTime = held.readOnly === readOnly && isLater(held.until, giver.until)
  const untilAtMost = keepsTime ? held.until : giver.until
  return {
    given: {
      readOnly,
      alarms: wished.alarms && !lacksAlarms,
      until: lacksTime ? untilAtMost : wished.until,
    },
    lacks: [
      ...(lacksMode ? (['GIVER_READ_ONLY'] as const) : []),
      ...(lacksAlarms ? (['GIVER_WITHOUT_ALARMS'] as const) : []),
      ...(lacksTime ? (['GIVER_ENDS_EARLIER'] as const) : []),
    ],
  }
}

/** Null means no expiry. */
function isLater(one: Date | null, other: Date | null): boolean {
  if (one === null || other === null) return one === null && other !== null
  return one.getTime() > other.getTime()
}
