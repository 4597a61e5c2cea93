import type { alarmContacts } from '@busbar/contract'

/** A step being edited, with its minutes as typed. */
export interface StepDraft {
  /** Tells the rows of the form apart. */
  readonly key: number
  readonly minutes: string
  readonly who: alarmContacts.EscalationGroup
  readonly userIds: readonly number[]
  readonly contactIds: readonly number[]
  readonly how: readonly alarmContacts.EscalationChannel[]
}

const firstMinutes = '15'
let lastKey = 0

export const emptyStep = (): StepDraft => ({
  ...{
    key: ++lastKey,
    minutes: firstMinutes,
    who: 'keys',
    userIds: [],
    contactIds: [],
    how: ['message', 'sms'],
  },
})

export const draftOf = ({ afterMinutes, ...step }: alarmContacts.EscalationStep): StepDraft => ({
  ...step,
  key: ++lastKey,
  minutes: String(afterMinutes),
})

/** A step as it is sent: only recipients of its kind, and contacts only by e-mail. */
export function stepOf({ minutes, who, userIds, contactIds, how }: StepDraft): alarmContacts.EscalationStep {
  return {
    afterMinutes: Number(minutes),
    who,
    userIds: who === 'userIds' ? [...userIds] : [],
    contactIds: who === 'contactIds' ? [...contactIds] : [],
    how: who === 'contactIds' ? ['email'] : [...how],
  }
}

/** Minutes from the alarm to each step, as far as they are known. */
export function totalsOf(steps: readonly StepDraft[]): number[] {
  let total = 0
  return steps.map(({ minutes }) => (total += Number(minutes) || 0))
}

export type StepProblem = 'minutes' | 'people' | 'how'

/** The first thing that is wrong in a step; undefined: nothing. */
export function problemOf(step: StepDraft, minutesMax: number): StepProblem | undefined {
  const minutes = Number(step.minutes)
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > minutesMax) return 'minutes'
  const { who, userIds, contactIds, how } = stepOf(step)
  if ((who === 'userIds' && userIds.length === 0) || (who === 'contactIds' && contactIds.length === 0))
    return 'people'
  return how.length === 0 ? 'how' : undefined
}
