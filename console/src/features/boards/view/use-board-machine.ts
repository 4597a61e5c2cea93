import type { BoardLayout } from '@busbar/contract'
import { useMemo } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { useSpaceMachines } from '../../../entities/machine/space-machines.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { useBoardsSearch } from '../use-boards-search.ts'

const none: readonly Machine[] = []

/** The device in the place of a board's variable. */
export interface BoardMachine {
  /** Undefined if the board has no variable. */
  readonly type: string | undefined
  readonly choices: readonly Machine[]
  readonly chosen: { readonly id: number } | undefined
  readonly choose: (id: number) => void
}

/** The device that the address names, else the first of the type. */
export function useBoardMachine({ variable }: BoardLayout, space: PageSpace): BoardMachine {
  const [{ machine }, update] = useBoardsSearch()
  const list = useSpaceMachines(space)
  const type = variable?.machineType
  const choices = useMemo(
    () => (type === undefined ? none : (list ?? none).filter((one) => one.type === type)),
    [list, type],
  )
  const [first] = choices
  const chosen = type === undefined ? undefined : machine === undefined ? first : { id: machine }
  const id = chosen?.id
  return {
    type,
    choices,
    chosen: useMemo(() => (id === undefined ? undefined : { id }), [id]),
    choose: (wished) => update({ machine: wished }, { replace: true }),
  }
}
