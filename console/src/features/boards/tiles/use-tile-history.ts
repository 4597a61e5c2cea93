import type { BoardTag } from '@busbar/contract'
import { useMemo } from 'react'
import { type History, useHistory } from '../../../entities/history/use-history.ts'
import { type Missing, useData } from '../board-data.ts'
import { useTime } from '../view/board-time.ts'

export interface TileHistory extends Pick<History, 'series' | 'range' | 'busy'> {
  /** Why nothing can be shown. */
  readonly missing: Missing | undefined
  /** Why some of the variables are not shown. */
  readonly partly: Missing | undefined
}

/** The history of a tile's variables over the board's time. */
export function useTileHistory(refs: readonly BoardTag[], buckets: number): TileHistory {
  const data = useData()
  const { span, moving } = useTime()
  const { shown, why } = useMemo(() => {
    const all = refs.map((ref) => data.tag(ref))
    const found = all.filter((one) => typeof one !== 'string')
    const machines = new Map(found.map(({ machine }) => [machine.id, machine]))
    const tags = found.map(({ tag }) => tag)
    return {
      shown: { machines: [...machines.values()], tags, tagIds: tags.map(({ tagId }) => tagId) },
      why: all.find((one) => typeof one === 'string'),
    }
  }, [refs, data])
  const { series, range, state, busy } = useHistory({ ...shown, span, buckets })
  const missing = shown.tags.length === 0 && why ? why : state === 'here' ? undefined : state
  return {
    ...{ series, busy, missing },
    range: moving ?? range,
    partly: why === 'wait' ? undefined : why,
  }
}
