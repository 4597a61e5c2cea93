import type { ApiError } from '@busbar/contract'
import type { Text } from '../i18n/text.ts'

/** The console's reaction to a failed call, beside that of the caller. */
export type FailureVerdict =
  /** The session is over: the notice, then the way to sign in. */
  | { readonly kind: 'sessionOver'; readonly notice: string }
  /** A notice of every page. */
  | { readonly kind: 'notice'; readonly notice: string; readonly unreachable: boolean }
  /** A business failure: the caller shows it where it belongs. */
  | { readonly kind: 'callersOwn' }

const sessionOver = 113
const platformFailed = 500
const unreachableStatuses = new Set([0, 502, 503, 504])

/** The failures that every call can have. */
export function judgeFailure({ http, hwcode }: ApiError, { notices }: Text): FailureVerdict {
  if (hwcode === sessionOver || http === 401) return { kind: 'sessionOver', notice: notices.sessionOver }
  if (hwcode !== platformFailed && http >= 200 && http < 300) return { kind: 'callersOwn' }
  const unreachable = unreachableStatuses.has(http)
  const text = unreachable ? notices.unreachable : (notices.http[http] ?? notices.failed)
  return { kind: 'notice', notice: text, unreachable }
}
