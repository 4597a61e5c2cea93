import type { destinations } from '@busbar/contract'
import type { DestinationLook } from '../../../shared/i18n/cn/project-destinations.ts'
import type { TagTone } from '../../../shared/ui/tag.tsx'
import type { DestinationsText } from './destinations-text.ts'

type Destination = destinations.Destination

/** A destination with its state as people see it. */
export interface DestinationRow extends Destination {
  readonly look: DestinationLook
}

export const lookTones: Readonly<Record<DestinationLook, TagTone>> = {
  well: 'good',
  waiting: 'plain',
  failing: 'bad',
  off: 'plain',
  switchedOff: 'bad',
}

export function withLook(destination: Destination): DestinationRow {
  return { ...destination, look: lookOf(destination) }
}

function lookOf({ state, failingSince, lastOkAt }: Destination): DestinationLook {
  if (state !== 'on') return state
  if (failingSince !== null) return 'failing'
  return lastOkAt === null ? 'waiting' : 'well'
}

/** Why a destination does not work; undefined for one that does, or is off by a person. */
export function explainLook(row: DestinationRow, t: DestinationsText): string | undefined {
  const { look, switchedOff, fault, status } = row
  if (look === 'switchedOff' && switchedOff !== null) return t.switchedOff[switchedOff]
  return look === 'failing' && fault !== null ? explainFault(fault, status, t) : undefined
}

/** Why a delivery failed. */
export function explainFault(
  fault: destinations.DestinationFault,
  status: number | null,
  t: DestinationsText,
): string {
  const { is } = t.faults[fault]
  return fault === 'status' && status !== null ? t.faultStatus(is, t.status(status)) : is
}
