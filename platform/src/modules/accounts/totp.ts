import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** RFC 4226 recommends 160 bits. */
const secretBytes = 20
const digits = 6
const periodS = 30
/** Steps before and after now that count: clocks of phones differ (rules/accounts.md: two-factor authentication). */
const window = 1

/** A secret for an authenticator (RFC 6238). */
export const createTotpSecret = (): Buffer => randomBytes(secretBytes)

/** A secret as a person types it into an authenticator. */
export const formatTotpSecret = (secret: Buffer): string => toSecret(secret).base32

/** The address that an authenticator reads from a QR code. */
export function formatOtpauthUrl(secret: Buffer, name: { issuer: string; account: string }): string {
  const totp = new TOTP({
    issuer: name.issuer,
    label: name.account,
    secret: toSecret(secret),
    digits,
    period: periodS,
  })
  return totp.toString()
}

/** The time step a code belongs to; undefined when it is of none near `now`, epoch milliseconds. */
export function findTotpStep(secret: Buffer, code: string, now: number): number | undefined {
  const delta = TOTP.validate({
    token: code,
    secret: toSecret(secret),
    digits,
    period: periodS,
    timestamp: now,
    window,
  })
  return delta === null ? undefined : TOTP.counter({ period: periodS, timestamp: now }) + delta
}

const toSecret = (bytes: Buffer): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })
