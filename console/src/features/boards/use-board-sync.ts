import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { push } from '../../shared/api/live.ts'
import { boardKey, boardsKey } from './board-queries.ts'

/** A change of an open board in another window or by another person. */
export interface BoardChange {
  readonly version: number
  readonly deleted: boolean
  /** Empty where their account is gone. */
  readonly by: string
  /** The reader's right to it changed, not the board. */
  readonly rights: boolean
}

/** Keeps an open board up to date; `onChange` is called for versions newer than the displayed one. */
export function useBoardSync(id: number, version: number, onChange: (change: BoardChange) => void): void {
  const client = useQueryClient()
  const heard = useEffectEvent((change: BoardChange) => {
    if (!change.rights && !change.deleted && change.version <= version) return
    void client.invalidateQueries({ queryKey: boardKey(id) })
    if (!change.rights) onChange(change)
  })
  useEffect(() => {
    const again = () => void client.invalidateQueries({ queryKey: [...boardsKey, 'one'] })
    const leaves = [
      push.on('boardChange', ({ boardId, ...change }) => boardId === id && heard(change)),
      // A board comes by a membership as well as by a share.
      push.on('spaces', again),
      push.on('missed', again),
    ]
    return () => {
      for (const leave of leaves) leave()
    }
  }, [client, id])
}
