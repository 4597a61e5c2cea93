import type { telemetry as contract } from '@busbar/contract'
import type { ReadBack } from '../../../kernel/bus/bus.ts'
import type { AppendReport, UplinkRecord } from '../../../modules/telemetry/index.ts'

/** A message's place in its node's sequence. */
export interface Turn {
  readonly seq: number
  /** By the node's clock, epoch milliseconds. */
  readonly sentAt: number | undefined
}

/** The result of reading one message. */
export interface Uplink {
  readonly records: readonly UplinkRecord[]
  /** Why the message, or a part of it, is not kept: it goes into the raw log. */
  readonly verdict?: contract.RawVerdict
  /** More about it for engineers, in English. */
  readonly detail?: string
  /** Parts that were understood otherwise than they were sent, in English, for the sender and the raw log. */
  readonly notes?: readonly string[]
  /** The machine's clock as the message shows it, epoch milliseconds; only where it was sent as it happened. */
  readonly clockAt?: number | undefined
  /** A birth or a death of the machine. */
  readonly online?: boolean
  /** A device behind the machine went away: this group of tags is stale. */
  readonly staleGroup?: string
  /** The time of its death by the node's clock, epoch milliseconds; undefined if it does not send one. */
  readonly goneAt?: number | undefined
  /** The state of the protocol was lost: ask the node for its birth. */
  readonly wantsRebirth?: boolean
  /** The message came before its turn and was not taken: it may be given again when the turn comes. */
  readonly outOfTurn?: Turn
  /** Values read back after writes, published once the records are stored. */
  readonly readBacks?: readonly ReadBack[]
  /** The answer to a command sent as `rpc/request/{request}`; `error` null if the machine names none. */
  readonly rpcAnswer?: { readonly request: number; readonly error: string | null }
}

/** A message without contents. */
export const emptyUplink: Uplink = { records: [] }

export const refusedUplink = (verdict: contract.RawVerdict, detail: string): Uplink => ({
  records: [],
  verdict,
  detail,
})

/** A message sent again, of which the first was stored. */
export const repeatedUplink = refusedUplink('repeated', '')

/** A message as it was read, with the verdict that all its values were stored before where that is so. */
export function saysRepeated<Read extends { readonly uplink: Uplink }>(
  read: Read,
  { stored, repeated }: AppendReport,
): Read {
  if (stored > 0 || repeated === 0 || read.uplink.verdict !== undefined) return read
  return { ...read, uplink: { ...read.uplink, verdict: 'repeated' } }
}
