/**
 * Every kind of fact, `noun.verb`, with what it carries. `machineId`, `userId` and `enterpriseId` have a column of their
 * own, the rest is its payload: ids, codes, levels and texts of machines, never personal data.
 */
export interface FactKinds {
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
