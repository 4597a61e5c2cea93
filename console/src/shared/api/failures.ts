import type { ApiError } from '@busbar/contract'
import type { Text } from '../i18n/text.ts'

/** The console's reaction to a failed call, beside that of the caller. */
export type FailureVerdict =
  /** The session is over: the notice, then the way to sign in. */
  | { readonly kind: 'sessionOver'; readonly notice: string }
  /** A global notice of section 8. */
  | { readonly kind: 'notice'; readonly notice: string; readonly unreachable: boolean }
  /** A business failure: the caller shows it where it belongs. */
  | { readonly kind: 'callersOwn' }

const unreachableStatuses = new Set([0, 502, 503, 504])
const tokenInvalid = 113
const serverApiError = 500

/** The failures that every call can have. A 401 with code 113 shows one text, that of 113. */
export function judgeFailure(error: ApiError, text: Text): FailureVerdict {
  const { notices } = text
  if (error.hwcode === tokenInvalid) return { kind: 'sessionOver', notice: notices.tokenInvalid }
  if (error.http === 401) return { kind: 'sessionOver', notice: notices.noPermission }
  if (error.hwcode === serverApiError) return notice(notices.serverApi)
  if (error.http >= 200 && error.http < 300) return { kind: 'callersOwn' }
  const unreachable = unreachableStatuses.has(error.http)
  if (error.http === 0) return notice(notices.network, unreachable)
  return notice(notices.http[error.http] ?? notices.other(error.http), unreachable)
}

function notice(text: string, unreachable = false): FailureVerdict {
  return { kind: 'notice', notice: text, unreachable }
}
