import type { SimState, SimStopReason } from '@busbar/contract'

/** A card, as its carrier tells it. */
export interface CarrierCard {
  readonly iccid: string
  readonly msisdn: string
  readonly state: SimState
  /** The carrier's own word for the state. */
  readonly word: string
  /**
   * Null: the card is not stopped, or nobody says why. Undefined: this answer tells nothing about it. Control Center
   * says that a limit was reached while its word for the state is still that of a card that works.
   */
  readonly stopReason: SimStopReason | null | undefined
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
  /**
   * Days, `2026-11-30` in the carrier’s zone, in any order; the last may be under way. A later answer corrects an
   * earlier one.
   */
  readonly days: readonly { readonly day: string; readonly bytes: number }[]
  /** Until when it was counted, epoch milliseconds; the time of the answer where the carrier does not say. */
  readonly asOf: number
  /** The card, where the same answer tells it: its details need not be asked for as well. */
  readonly card: CarrierCard | null
}

/** The traffic that a card was sold with until its end, at carriers that sell it so. */
export interface CarrierQuota {
  readonly totalBytes: number
  readonly leftBytes: number
  readonly expireAt: number | null
}

/** Limits that a carrier publishes, for all that use an account together. */
export interface CarrierLimits {
  readonly callsAtOnceMax: number
  readonly callsPerSecondMax: number
  /** Cards that one call for details, and one for usage, may name. */
  readonly detailCardsMax: number
  readonly usageCardsMax: number
  /** A list is begun at most so often. */
  readonly listEveryMs: number
}

export interface ChangedCards {
  readonly iccids: readonly string[]
  /** Of the next page; null: this was the last. */
  readonly next: string | null
}

export interface ListedCards {
  readonly cards: readonly CarrierCard[]
  readonly next: string | null
}

/**
 * An account at a carrier. Each call of a method is one call of the carrier, besides the one that signs in; the caller
 * keeps the limits (CarrierCalls). All throw ProviderFailed. Cards that the carrier does not know are missing in an answer,
 * and cards that nobody asked for are left out of it. A carrier may know a card by 19 characters or by 20: answers have
 * the form that was asked for, and lists that of the carrier, by which it is asked best.
 */
export interface Carrier {
  readonly limits: CarrierLimits
  /** The carrier's words for states; those that are missing are unknown. */
  readonly states: Readonly<Record<string, SimState>>
  /** The cards that changed since an instant, page by page; undefined where the carrier has no such list. */
  readonly listChanged: ((since: number, page: string | null) => Promise<ChangedCards>) | undefined
  /** All cards with their details, page by page; undefined where a list tells no details. */
  readonly listCards: ((page: string | null) => Promise<ListedCards>) | undefined
  /** In any order; at most `detailCardsMax` are named. */
  details(iccids: readonly string[]): Promise<readonly CarrierCard[]>
  /** At most `usageCardsMax` are named. Days before `since` may be left out; the next question goes on at `asOf`. */
  usage(iccids: readonly string[], since: number): Promise<readonly CarrierUsage[]>
}
