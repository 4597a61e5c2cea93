import type { Text } from '../text.ts'

/** The parts of a failure's answer: `http` status, `hwcode` and `hwreason` of the envelope, and its text. */
export interface ErrorKind {
  readonly http: number
  readonly hwcode: number
  readonly hwreason: string
  readonly text: Text
}

const refusedHwcode = 420

/** A call that was understood and refused: HTTP 200, hwcode 420 (rules/calls.md: status codes). */
export function refusal(hwreason: string, text: Text): ErrorKind {
  return { http: 200, hwcode: refusedHwcode, hwreason, text }
}

/**
 * Paths on which clients take hwcode and HTTP status 404 for the end of the session, and sign out; an SMS service that
 * reports receipts is not one of them. The path may have a query.
 */
export const signsOutAt404 = (path: string): boolean =>
  /^\/api\/(?:v1\/(?:alarm|sms(?!\/receipts))|msg\/v1\/(?:ent|alarm))\//.test(path)

/**
 * The failure as calls of this path answer it: a missing thing, and one that is not the caller's, are a refusal where
 * clients would sign out otherwise (rules/calls.md: status codes).
 */
export function kindOnPath(kind: ErrorKind, path: string): ErrorKind {
  const isAway = [kind.http, kind.hwcode].some((code) => code === 403 || code === 404)
  return isAway && signsOutAt404(path) ? refusal(kind.hwreason, kind.text) : kind
}

/** Refusals whose code is their `hwreason` as well. */
export function refusals<Code extends string>(texts: Readonly<Record<Code, Text>>): Record<Code, ErrorKind> {
  const kinds = Object.entries<Text>(texts).map(([code, text]) => [code, refusal(code, text)])
  return Object.fromEntries(kinds) as Record<Code, ErrorKind>
}
