import { randomInt } from 'node:crypto'
import { hashToken } from './accounts-service.ts'

/** Ambiguous characters are left out: people write these down. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
/** 16 characters, 79 bits: a hash of one cannot be guessed back. */
const groups = 4
const charactersPerGroup = 4
const codesCount = 10

/**
 * Ten codes that each sign in once in place of the authenticator: `XXXX-XXXX-XXXX-XXXX` (rules/accounts.md: two-factor
 * authentication).
 */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: codesCount }, () => Array.from({ length: groups }, createGroup).join('-'))
}

/** The stored form of a recovery code; case, spaces and dashes do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  return hashToken(code.toUpperCase().replace(/[\s-]/g, ''))
}

function createGroup(): string {
  return Array.from({ length: charactersPerGroup }, () => alphabet[randomInt(alphabet.length)]).join('')
}
