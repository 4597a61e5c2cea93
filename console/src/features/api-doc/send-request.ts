import { type Lang, timing } from '@busbar/contract'
import type { Operation } from './openapi.ts'

/** The result of a request: an answer, or none. */
export type Outcome =
  | { readonly status: number; readonly tookMs: number; readonly text: string; readonly isCut: boolean }
  | { readonly failed: true }

const shownCharactersMax = 100_000

/** The address of a call with its parameters; those left empty are left out. */
export function fillPath(
  { path, parameters }: Pick<Operation, 'path' | 'parameters'>,
  values: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    const value = values[name]
    if (place === 'query' && value) query.append(name, value)
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** Sends as the console would: with the session's cookie, in the language spoken. */
export async function sendRequest(request: {
  method: string
  url: string
  lang: Lang
  body?: string
}): Promise<Outcome> {
  const startedAt = performance.now()
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: {
        'accept-language': request.lang === 'cn' ? 'zh-CN' : 'en',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: AbortSignal.timeout(timing.httpTimeoutMs),
    })
    const text = indent(await response.text())
    return {
      status: response.status,
      tookMs: Math.round(performance.now() - startedAt),
      text: text.slice(0, shownCharactersMax),
      isCut: text.length > shownCharactersMax,
    }
  } catch {
    return { failed: true }
  }
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
