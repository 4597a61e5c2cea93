import type { notifications as contract, machines } from '@busbar/contract'
import { dateFormat } from '../../kernel/date-format.ts'

/**
 * A window begins with each message; later alarms within it wait for the digest at its end (rules/messages.md:
 * windows).
 */
const windowMs = 10 * 60_000
/** A digest is sent at most this time after its first alarm (rules/messages.md: digests). */
const digestMsMax = 60 * 60_000
/** Critical alarms of a machine that go by themselves within a window. */
const criticalMax = 20

/** The messages to a person about a machine by one channel. */
export interface Window {
  /** The last message; undefined before the first. */
  openedAt: number | undefined
  digestDueAt: number | undefined
  waitingSince: number | undefined
  waiting: number
  critical: number
  criticalSince: number | undefined
}

export const newWindow = (): Window => ({
  openedAt: undefined,
  digestDueAt: undefined,
  waitingSince: undefined,
  waiting: 0,
  critical: 0,
  criticalSince: undefined,
})

/**
 * Decides whether an alarm is sent at once, and updates the window: the first of a machine is, and a critical one that
 * this person has not received, unless there were too many of these.
 */
export function isFirst(window: Window, level: machines.AlarmLevel, now: number): boolean {
  const isOpen = window.openedAt !== undefined && now - window.openedAt < windowMs
  const isFree = !isOpen && window.waitingSince === undefined
  const isCritical = level === 'critical'
  if (isCritical && (window.criticalSince === undefined || now - window.criticalSince >= windowMs)) {
    window.criticalSince = now
    window.critical = 0
  }
  if (isFree || (isCritical && window.critical < criticalMax)) {
    if (isCritical) window.critical++
    window.openedAt = now
    if (window.waitingSince !== undefined) window.digestDueAt = dueOf(window, window.waitingSince)
    return true
  }
  window.waiting++
  window.waitingSince ??= now
  window.digestDueAt = dueOf(window, window.waitingSince)
  return false
}

const dueOf = ({ openedAt }: Window, waitingSince: number): number =>
  Math.min((openedAt ?? waitingSince) + windowMs, waitingSince + digestMsMax)

/**
 * Whether an instant is in quiet hours, in a time zone; the hours may pass midnight (rules/messages.md: quiet hours).
 */
export function isQuiet(
  { quietFrom, quietTo }: { readonly quietFrom: string; readonly quietTo: string },
  timeZone: string,
  now: number,
): boolean {
  if (!quietFrom || !quietTo) return false
  const clock = dateFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(now)
  return quietFrom < quietTo ? clock >= quietFrom && clock < quietTo : clock >= quietFrom || clock < quietTo
}

/** The facts that can stop a message by SMS or e-mail. */
export interface Gate {
  readonly cover: 'shelved' | 'outOfService' | undefined
  readonly isConfirmed: boolean
  readonly isOn: boolean
  readonly address: string | null
  readonly isQuiet: boolean
}

/**
 * The reason why a recipient gets an alarm neither now nor in a digest; undefined without one (rules/messages.md: send
 * record).
 */
export function skipReason(gate: Gate, level: machines.AlarmLevel): contract.NotificationReason | undefined {
  if (gate.cover) return gate.cover
  if (gate.isConfirmed) return 'confirmed'
  if (!gate.isOn) return 'off'
  if (!gate.address) return 'noAddress'
  if (gate.isQuiet && level !== 'critical') return 'quietHours'
  return undefined
}
