import type { destinations } from '@busbar/contract'

/** The parts of a row of the stream that decide whether a lane sends it. */
interface LaneRow {
  readonly no: number
  readonly linkId: number | null
  readonly kind: 'row' | 'gap' | 'event'
  readonly text: string
}

/** A number of lanes that a destination had, and the number of the last row that each of them delivered. */
export type FormerLanes = readonly number[]

export interface LaneChoice {
  readonly lane: number
  readonly lanes: number
  readonly former: readonly FormerLanes[]
  readonly hasRows: boolean
  readonly events: readonly destinations.ProjectEvent[]
  isActive(linkId: number): boolean
}

/** A machine is always in the same lane, so that its rows keep their order; a row about all of them is in the first. */
const laneOf = (linkId: number | null, lanes: number): number => (linkId ?? 0) % lanes

/** Whether a lane sends a row now. */
export function isSent(row: LaneRow, choice: LaneChoice): boolean {
  const { linkId } = row
  return (
    laneOf(linkId, choice.lanes) === choice.lane &&
    !choice.former.some((acked) => row.no <= (acked[laneOf(linkId, acked.length)] ?? 0)) &&
    isWanted(row, choice) &&
    (linkId === null || choice.isActive(linkId))
  )
}

function isWanted({ kind, text }: LaneRow, { hasRows, events }: LaneChoice): boolean {
  if (kind !== 'event') return hasRows
  const name = /^"event":"([a-z.]+)"/i.exec(text)?.[1]
  return events.some((event) => event === name)
}

/** Where lanes begin after their number changed: with what one of them may not have delivered. */
export function moveLanes(
  acked: FormerLanes,
  former: readonly FormerLanes[],
): { readonly ackedNo: number; readonly former: readonly FormerLanes[] } {
  const ackedNo = Math.min(...acked)
  return { ackedNo, former: stillFormer([...former, acked], ackedNo) }
}

/** Those that some lane is not beyond. */
export const stillFormer = (former: readonly FormerLanes[], ackedNo: number): FormerLanes[] =>
  former.filter((acked) => Math.max(...acked) > ackedNo).map((acked) => [...acked])
