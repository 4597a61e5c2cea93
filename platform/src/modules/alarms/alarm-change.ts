import type { Fact, FactKind } from '../../kernel/facts/fact-kinds.ts'

/** The kinds of facts about alarms. */
export const alarmKinds = [
  'alarm.raised',
  'alarm.counted',
  'alarm.changed',
  'alarm.cleared',
  'alarm.filled',
  'alarm.confirmed',
] as const satisfies readonly FactKind[]

export type AlarmKind = (typeof alarmKinds)[number]

/** A change of one alarm of a machine, with all a reader needs: a fact before it is recorded. */
export interface AlarmChange extends Omit<Fact<'alarm.filled'>, 'id' | 'kind'> {
  readonly kind: AlarmKind
}
