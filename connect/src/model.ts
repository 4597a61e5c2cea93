import type { PortCounts, PortKind, PortOverReason } from '@busbar/link'

export type Lang = 'cn' | 'en'
/** Look only, or also change. */
export type Mode = 'ro' | 'rw'

/** A port as the platform lists it for the person. */
export interface ListedPort {
  readonly name: string
  readonly kind: PortKind
  readonly note: string
  readonly roundTripMs: number | null
  readonly mayChange: boolean
  readonly mayLook: boolean
}

export interface ListedMachine {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly online: boolean
}

/** Why a visit or a target ended: those of the platform's visits, and those of ports. */
export const endReasons = [
  'left',
  'ended',
  'idle',
  'timeUp',
  'visitTimeOver',
  'rightLost',
  'cloudOff',
  'signedOut',
  'replaced',
  'platform',
  'notAllowed',
  'lookOnly',
  'noPort',
] as const
export type EndReason = (typeof endReasons)[number] | 'other'

/** Why one connection of a tool ended. */
export type CloseReason =
  | PortOverReason
  | 'done'
  | 'toolBroke'
  | 'gone'
  | 'lineLost'
  | 'unreachable'
  | 'tooMany'
  | 'ticket'
  | 'wrongMessage'
  | 'refused'
  | 'stopped'

/** The events while ports are open, in order. */
export type ConnectEvent =
  | { readonly event: 'visit'; readonly machine: string; readonly mode: Mode; readonly until: number }
  | { readonly event: 'address'; readonly address: string }
  | {
      readonly event: 'listening'
      readonly target: string
      readonly kind: PortKind
      readonly address: string
    }
  | { readonly event: 'opened'; readonly target: string; readonly stream: number }
  | { readonly event: 'lineLost'; readonly target: string; readonly stream: number }
  | {
      readonly event: 'lineBack'
      readonly target: string
      readonly stream: number
      readonly pausedMs: number
    }
  | {
      readonly event: 'closed'
      readonly target: string
      readonly stream: number
      readonly reason: CloseReason
      readonly detail: string
      readonly bytesIn: number
      readonly bytesOut: number
      /** As the agent counted them; null where it told none. */
      readonly requests: PortCounts | null
    }
  | { readonly event: 'warning'; readonly reason: 'idle' | 'timeUp'; readonly at: number }
  | { readonly event: 'control'; readonly isMine: boolean; readonly who: string }
  | {
      readonly event: 'ended'
      readonly target: string
      readonly reason: EndReason
      readonly detail: string
    }

/** Time, handed in so that a test can be its own clock. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds, never backwards. */
  monotonic(): number
  /** Runs once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Without characters that would steer a terminal: names and notes are written by others. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
