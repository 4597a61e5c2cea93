import type { ErrorCode } from '@busbar/contract'
import type { Access } from './access-rules.ts'

/** What somebody has of a machine, or is to get of it; a grant is one. */
export interface Share {
  readonly readOnly: boolean
  /** Whether the machine's alarms are sent to them. */
  readonly alarms: boolean
  /** Null: for ever. */
  readonly until: Date | null
}

/** What a giver lacks, as the error that says so. */
export type Lack = Extract<ErrorCode, 'GIVER_READ_ONLY' | 'GIVER_WITHOUT_ALARMS' | 'GIVER_ENDS_EARLIER'>

/** What an Akey has; the machine's password stands for the Akey's word. */
export const everything: Share = { readOnly: false, alarms: true, until: null }
export const nothing: Share = { readOnly: true, alarms: false, until: new Date(0) }

/** What somebody has of a machine: an Akey, and an enterprise's owner or administrator, all of it. */
export function shareOf({ rights, readOnly, alarms, endsAt }: Access): Share {
  if (rights.has('akey')) return everything
  if (!rights.has('holder')) return nothing
  return { readOnly, alarms, until: endsAt === undefined ? null : new Date(endsAt) }
}

/**
 * The one rule of giving (`docs/decisions/0025-giving.md`): a person gives at most the rights they have. `given` is as much of
 * `wished` as the giver has, `lacks` what is missing for the rest. What the receiver has already, `held`, is not given:
 * but a longer time gives both the mode and the alarms for as long as it is longer. A time the giver lacks never takes
 * from the receiver a longer one in the same mode.
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

/** Null is for ever. */
function isLater(one: Date | null, other: Date | null): boolean {
  if (one === null || other === null) return one === null && other !== null
  return one.getTime() > other.getTime()
}
