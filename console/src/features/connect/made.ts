import type { AnswerOf, onboarding } from '@busbar/contract'
import { createStore, useStore } from '../../shared/api/store.ts'

type Connected = AnswerOf<typeof onboarding.connectMachine>

/** The parts of the last registered device that are shown once: in memory alone, so that a reload forgets it. */
export type Made = Pick<Connected, 'machineId'> & Partial<Omit<Connected, 'machineId'>>

const made = createStore<Made | undefined>(undefined)

export const keepMade = (kept: Made): void => made.set(kept)

/** The parts that this page still knows; undefined after a reload. */
export function useMade(machineId: number): Made | undefined {
  const kept = useStore(made)
  return kept?.machineId === machineId ? kept : undefined
}
