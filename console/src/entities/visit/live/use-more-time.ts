import { access } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { getText } from '../../../shared/i18n/index.ts'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { accessKey, visitorsQuery } from '../../access/access-queries.ts'
import { formatLeft } from '../../access/visit-time-text.tsx'
import type { LiveVisit } from '../visit-state.ts'

const minuteMs = 60_000
/** The time that a key adds by one press. */
export const moreTime = { half: 30 * minuteMs, hour: 60 * minuteMs } as const

/** A visitor's own time, as a key may change it. */
export type VisitTime = Pick<access.Visitor, 'name' | 'visitTime' | 'visitTimeId'>

interface MoreTime {
  readonly visitor: VisitTime
  readonly addMs: number
}

/** The visit time of a visit, if it has an end; for keys of the machine. */
export function useVisitTime({ machineId, userId }: LiveVisit): VisitTime | undefined {
  const { data } = useQuery(visitorsQuery(machineId))
  const visitor = data?.find((each) => each.userId === userId)
  return visitor && visitor.visitTime > 0 ? visitor : undefined
}

/** Adds to a visitor's time; the visit itself follows, by the push. */
export function useMoreTime(machineId: number) {
  const client = useQueryClient()

  /** Reloaded first: another key may have moved it, and adding to the displayed end would undo that. */
  async function findEnd({ visitTimeId }: VisitTime): Promise<number> {
    const visitors = await client.fetchQuery({ ...visitorsQuery(machineId), staleTime: 0 })
    const end = visitors.find((each) => each.visitTimeId === visitTimeId)?.visitTime ?? 0
    if (end <= 0) throw new Error('no visit time with an end is left')
    return end
  }

  return useMutation({
    mutationFn: async (more: MoreTime) => {
      const visitTime = (await findEnd(more.visitor)) + more.addMs
      await call(
        access.setVisitTime,
        { visitTimeId: more.visitor.visitTimeId, visitTime },
        { noNotice: true },
      )
      return visitTime
    },
    onSuccess: (visitTime, { visitor }) => showToast(describeNewEnd(visitor, visitTime)),
    onError: () => showToast(getText().visits.pane.extendFailed, 'failure'),
    onSettled: () => void client.invalidateQueries({ queryKey: accessKey(machineId) }),
  })
}

/** Describes a visitor's new end; epoch milliseconds, -1 without end. */
export function describeNewEnd({ name }: VisitTime, visitTime: number): string {
  const { undo, time } = getText().access
  return undo.time(name, formatLeft(visitTime, Date.now(), time))
}
