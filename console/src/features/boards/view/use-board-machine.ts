import { type BoardLayout, machines as contract } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { enterpriseMachinesQuery, machineListQuery } from '../../../entities/machine/machine-queries.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { useBoardsSearch } from '../use-boards-search.ts'

const none: readonly Machine[] = []

/** The machines of a space whose values one may see. */
export function useSpaceMachines(space: PageSpace): readonly Machine[] | undefined {
  const lang = useLang()
  const { eid } = space.asked
  const isOwn = eid === undefined
  const own = useQuery({ ...machineListQuery(lang), enabled: isOwn }).data?.list
  const ofEnterprise = useQuery({
    ...enterpriseMachinesQuery(eid ?? 0, 1, lang),
    enabled: !isOwn,
    refetchInterval: false,
  }).data?.list
  const list = isOwn ? own : ofEnterprise
  return useMemo(() => list?.filter(({ level }) => level > contract.limitAuthority.ordinary), [list])
}

/** The device in the place of a board's variable. */
export interface BoardMachine {
  /** Undefined where the board has no variable. */
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
