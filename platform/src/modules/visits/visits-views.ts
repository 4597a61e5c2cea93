import type { visits as contract } from '@busbar/contract'
import type { ControllerRow } from './controller-store.ts'
import type { LiveVisits } from './live-visits.ts'
import type { ListedVisit } from './visits-list-store.ts'

/** The controller of a machine, as one person sees it. */
export function presentController(row: ControllerRow | undefined, userId: number): contract.Controller {
  return {
    me: row?.user_id === userId,
    who: row?.name ?? null,
    since: row?.since.getTime() ?? null,
    sessionId: row?.visit_id ?? null,
    until: row?.until?.getTime() ?? null,
  }
}

/** A visit of the list; `clock` gives the end of a live one without further activity. */
export function presentVisit(
  row: ListedVisit,
  userId: number,
  clock: Pick<LiveVisits, 'idleAtOf' | 'releaseAtOf'>,
): contract.Visit {
  const live = row.ended_at === null
  // 0 while attended.
  const idleAt = clock.idleAtOf({ visitId: row.id, userId: row.user_id, activeAt: row.active_at.getTime() })
  return {
    sessionId: row.id,
    user: { userId: row.user_id, name: row.user_name, me: row.user_id === userId },
    machine: { machineId: row.machine_id, machineCode: row.machine_code, name: row.machine_name },
    kind: row.kind as 'page' | 'tcp',
    target: row.target,
    by: row.reached_by as contract.Visit['by'],
    project: row.project_name,
    mode: row.controls || (!live && row.was_rw) ? 'rw' : 'ro',
    from: row.started_at.getTime(),
    until: (row.ended_at ?? row.ends_at).getTime(),
    idleAt: live && idleAt > 0 ? idleAt : null,
    live,
    releaseAt: clock.releaseAtOf(row.release_at) ?? null,
    bytesIn: row.bytes_in,
    bytesOut: row.bytes_out,
    ports: row.ports,
    controls: row.controls,
    asks: row.asks,
    endedBy: row.ended_by_name,
    reason: row.end_reason as contract.VisitEndReason | null,
    note: row.end_note,
  }
}
