import type { machines } from '@busbar/contract'

/** An alarm of a machine as it is after a change. */
interface AlarmState {
  readonly machineId: number
  readonly alarmId: number
  readonly key: string
  readonly level: machines.AlarmLevel
  /** By language; the key `''` is a text whose language is not known. */
  readonly text: Readonly<Record<string, string>>
  /** How often it was raised while it stood. */
  readonly count: number
}

/**
 * Every kind of fact, `noun.verb`, with what it carries. `machineId`, `userId` and `enterpriseId` have a column of their
 * own, the rest is its payload: ids, codes, levels and texts of machines, never personal data.
 */
export interface FactKinds {
  /** An alarm stands. */
  'alarm.raised': AlarmState
  /** It was raised again while it stood. */
  'alarm.counted': AlarmState
  /** It has another level or text. */
  'alarm.changed': AlarmState
  /** It stands no more. */
  'alarm.cleared': AlarmState
  /**
   * One of the past, which did not change what stands, was told late; `at` is when it was raised, `until` when it ended:
   * the same instant while that is not known.
   */
  'alarm.filled': AlarmState & { readonly until?: number }
  /** The person `userId` saw it. */
  'alarm.confirmed': AlarmState
  /** A brand was made, changed or archived. */
  'brand.changed': { readonly brandId: number }
  /** A machine is understood in another way: its adapter or its time zone changed. */
  'machine.languageChanged': { readonly machineId: number }
}

export type FactKind = keyof FactKinds

interface Subject {
  readonly machineId?: number
  readonly userId?: number
  readonly enterpriseId?: number
}

/** A fact to be recorded; `at` is when it became true, epoch milliseconds. */
export type NewFact = {
  [Kind in FactKind]: { readonly kind: Kind; readonly at: number } & Subject & FactKinds[Kind]
}[FactKind]

/** A fact of one of these kinds as its followers get it; `id` names it for ever. */
export type Fact<Kinds extends FactKind = FactKind> = {
  [Kind in Kinds]: {
    readonly id: number
    readonly kind: Kind
    readonly at: number
  } & Subject &
    FactKinds[Kind]
}[Kinds]
