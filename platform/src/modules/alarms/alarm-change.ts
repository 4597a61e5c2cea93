import type { Fact, FactKind } from '../../kernel/facts/fact-kinds.ts'

/** The kinds of facts about one alarm. */
export const alarmKinds = [
  'alarm.raised',
  'alarm.counted',
  'alarm.changed',
  'alarm.cleared',
  'alarm.filled',
  'alarm.confirmed',
] as const satisfies readonly FactKind[]
export type AlarmKind = (typeof alarmKinds)[number]

/** The kinds of facts about shelvings and alarms out of service. */
export const shelveKinds = [
  'alarm.shelved',
  'alarm.unshelved',
  'alarm.outOfService',
  'alarm.inService',
] as const satisfies readonly FactKind[]
export type ShelveKind = (typeof shelveKinds)[number]

/** A change of one alarm of a machine, with all a reader needs: a fact before it is recorded. */
export interface AlarmChange extends Omit<Fact<'alarm.filled'>, 'id' | 'kind'> {
  readonly kind: AlarmKind
  /** The contact who confirmed, who has no account. */
  readonly contactId?: number
}

/** A change of a shelving: a fact before it is recorded. */
export interface ShelveChange extends Omit<Fact<'alarm.shelved'>, 'id' | 'kind'> {
  readonly kind: ShelveKind
}
