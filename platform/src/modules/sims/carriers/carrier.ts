import type { SimState, SimStopReason } from '@busbar/contract'

/** A card, as its carrier tells it. */
export interface CarrierCard {
  readonly iccid: string
  readonly msisdn: string
  readonly state: SimState
  /** The carrier's own word for the state. */
  readonly word: string
  /** Null where the carrier tells none, or where the card is not stopped. */
  readonly stopReason: SimStopReason | null
  /** Epoch milliseconds; null: not told. */
  readonly activeAt: number | null
  readonly expireAt: number | null
  /** The IMEI of the device that the card is in; empty where it is not told. */
  readonly imei: string
}

/** The traffic of a card, as its carrier counted it. */
export interface CarrierUsage {
  readonly iccid: string
  /** In the present cycle; null where the carrier tells days alone. */
  readonly cycleBytes: number | null
  /** Whole days, `2026-11-30` in the carrier's zone, in any order. A later answer corrects an earlier one. */
  readonly days: readonly { readonly day: string; readonly bytes: number }[]
  /** Until when it was counted, epoch milliseconds. */
  readonly asOf: number
}

/** Limits that a carrier publishes, for all that use an account together. */
export interface CarrierLimits {
  readonly callsAtOnceMax: number
  readonly callsPerSecondMax: number
  /** Cards that one call for details, and one for usage, may name. */
  readonly detailCardsMax: number
  readonly usageCardsMax: number
  /** A list of changes is asked for at most so often. */
  readonly listEveryMs: number
}

export interface ChangedCards {
  readonly iccids: readonly string[]
  /** Of the next page; null: this was the last. */
  readonly next: string | null
}

/**
 * An account at a carrier. Each call of a method is one call of the carrier, besides the one that signs in; the caller
 * keeps the limits. All throw ProviderFailed.
 */
export interface Carrier {
  readonly limits: CarrierLimits
  /** The carrier's words for states; those that are missing are unknown. */
  readonly states: Readonly<Record<string, SimState>>
  /** The cards that changed since an instant, page by page; undefined where the carrier has no such list. */
  readonly listChanged: ((since: number, page: string | null) => Promise<ChangedCards>) | undefined
  /** The cards that the carrier knows, in any order; at most `detailCardsMax` are named. */
  details(iccids: readonly string[]): Promise<readonly CarrierCard[]>
  usage(iccids: readonly string[]): Promise<readonly CarrierUsage[]>
}
