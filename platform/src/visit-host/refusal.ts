/** Why the visit host itself turned a request away; each has a text in `page-texts.ts`. */
export type RefusalReason =
  | 'badRequest'
  | 'method'
  | 'unknownHost'
  | 'unknownPage'
  | 'foreign'
  | 'serviceWorker'
  | 'planted'
  | 'stateLost'
  | 'frameUsed'
  | 'noVisit'
  | 'readOnly'
  | 'notWatchable'
  | 'blind'
  | 'offline'
  | 'unreachable'
  | 'badGateway'
  | 'elsewhere'
  | 'tooMany'
  | 'busy'

/** A request that goes no further: its HTTP status and why. */
export interface Refusal {
  readonly status: number
  readonly reason: RefusalReason
  /** With `elsewhere`: the address that the device led to. */
  readonly address?: string
}
