import { type ErrorCode, errors, isLegacyPath, kindOnPath, type Lang, type Route } from '@busbar/contract'
import { Failure } from './failure.ts'
import type { JsonText } from './json-text.ts'

/** The success envelope; paths without a version repeat the data as `result` (rules/calls.md: envelope). */
export function success(route: Route, data: unknown): unknown {
  if (route.bare) return data
  return { hwcode: 0, hwreason: 'OK', hwdata: data, ...(isLegacyPath(route.path) ? { result: data } : {}) }
}

/** The same around an answer that is JSON already. */
export function successText(route: Route, { text }: JsonText<unknown>): string {
  if (route.bare) return text
  const again = isLegacyPath(route.path) ? `,"result":${text}` : ''
  return `{"hwcode":0,"hwreason":"OK","hwdata":${text}${again}}`
}

/** A failure's HTTP status and envelope on a path, in the caller's language. */
export function failure(error: Failure, lang: Lang, path: string): { status: number; body: object } {
  const kind = kindOnPath(errors[error.code], path)
  return {
    status: kind.http,
    body: {
      hwcode: kind.hwcode,
      hwreason: kind.hwreason,
      ...(error.data ? { hwdata: error.data } : {}),
      error: {
        code: error.code,
        message: messageOf(error, lang) ?? kind.text[lang],
        ...(error.field ? { field: error.field } : {}),
      },
    },
  }
}

/** The answer to wrong fields and to a route's own failures where it declares `failsAs`, at HTTP 200. */
export function refusal(route: Route, error: unknown, lang: Lang): unknown {
  if (!route.failsAs || !(error instanceof Failure)) return undefined
  const isOwn = route.errors.includes(error.code) && errors[error.code].hwcode === 420
  if (!isOwn && error.code !== '400') return undefined
  return route.failsAs === 'zero' ? 0 : { ...failure(error, lang, route.path).body, hwcode: route.failsAs }
}

/** The failure's own text; without one a 400 names its field. */
function messageOf({ code, field, text }: Failure, lang: Lang): string | undefined {
  if (text || code !== '400' || !field) return text?.[lang]
  return lang === 'cn' ? `参数 ${field} 无效` : `The field ${field} is not valid`
}

/** The code for an HTTP status Fastify came up with by itself. */
export function codeOfStatus(status: number): ErrorCode {
  if (status === 404 || status === 413 || status === 429 || status === 503) return `${status}`
  return status >= 400 && status < 500 ? '400' : '500'
}
