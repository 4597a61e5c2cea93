// Apart from failures.ts: the sign-in page needs that one and not the texts of every code.
import { type ApiError, errorText, type Lang } from '@busbar/contract'

/**
 * The platform's words for a refusal, which name the limit that was met or what is wrong, where the text of its code
 * alone may name another; undefined for an unknown code.
 */
export function refusalWords({ code, field, message }: ApiError, lang: Lang): string | undefined {
  const ofCode = errorText(code, lang)
  // Of a wrong field, they say its name in the call, which people do not know.
  const isOfField = code === '400' && field !== undefined
  return ofCode && message && !isOfField ? message : ofCode
}
