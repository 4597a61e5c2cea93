const secondMs = 1_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/**
 * A code is short: few tries and few sendings keep it from being guessed, and a phone from being flooded
 * (rules/accounts.md: codes).
 */
export const codeLimits = {
  lifeMs: 5 * 60_000,
  triesMax: 5,
  ticketMs: 10 * 60_000,
  /** Wrong ones of an account within a day before no code of it is taken or sent. */
  wrongPerDay: 10,
  wrongMs: dayMs,
} as const

/** A limit of requested codes: at most `max` within `withinMs`. */
interface Pace {
  readonly max: number
  readonly withinMs: number
}

const accountPaces: readonly Pace[] = [
  { max: 1, withinMs: 60 * secondMs },
  { max: 5, withinMs: hourMs },
  { max: 10, withinMs: dayMs },
]
const addressPaces: readonly Pace[] = [{ max: 30, withinMs: hourMs }]

/** The earlier codes of an account, and of an address, that decide whether another one may be sent. */
export const askedOfAccount = { max: 10, withinMs: dayMs } as const
export const askedOfAddress = { max: 30, withinMs: hourMs } as const

/**
 * Seconds until the next code may be requested; 0: now. `account` and `address`: times of earlier codes, newest first,
 * epoch milliseconds.
 */
export function secondsToWait(
  asked: { account: readonly number[]; address: readonly number[] },
  now: number,
): number {
  const waitMs = Math.max(
    ...accountPaces.map((pace) => waitFor(pace, asked.account, now)),
    ...addressPaces.map((pace) => waitFor(pace, asked.address, now)),
  )
  return Math.ceil(waitMs / secondMs)
}

function waitFor(pace: Pace, asked: readonly number[], now: number): number {
  const oldest = asked[pace.max - 1]
  return oldest === undefined ? 0 : Math.max(0, oldest + pace.withinMs - now)
}
