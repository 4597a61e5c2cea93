import type { VisitRules } from '../../../src/visit-host/rules.ts'

/** Every header unchanged, several of a name joined, except those that HTTP/2 cannot have. */
export function keepHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const impossible =
    /^(?:host|connection|keep-alive|proxy-connection|transfer-encoding|te|upgrade|http2-settings)$/
  const kept: Record<string, string> = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = String(rawHeaders[at]).toLowerCase()
    const value = String(rawHeaders[at + 1])
    if (!impossible.test(name)) kept[name] = kept[name] === undefined ? value : `${kept[name]}; ${value}`
  }
  return kept
}

/** A machine's answer unchanged. */
export const keepAnswer: VisitRules['responseHeaders'] = ({ ':status': _, ...headers }) =>
  headers as ReturnType<VisitRules['responseHeaders']>

export const letThrough = (): undefined => undefined
export const yes = (): boolean => true
