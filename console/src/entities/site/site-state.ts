import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import type { Machine } from '../machine/machine.ts'
import { displayState } from '../machine/machine-state.ts'

/** The worst state of a site's machines, in which the site is shown; undefined: none of them is in the list. */
export function worstState(
  machineIds: readonly number[],
  machines: ReadonlyMap<number, Machine> | undefined,
): DisplayState | undefined {
  const states = new Set(
    machineIds.flatMap((id) => {
      const machine = machines?.get(id)
      return machine ? [displayState(machine)] : []
    }),
  )
  return (['alarm', 'warning', 'offline', 'service', 'online'] satisfies DisplayState[]).find((state) =>
    states.has(state),
  )
}
