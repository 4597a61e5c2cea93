/** A request that public/boot.js sends while the scripts that read its answer are still on their way. */
export interface EarlyRequest {
  readonly url: string
  readonly lang: string
  readonly body: string
  readonly answer: Promise<Response>
}

declare global {
  var busbarEarly: EarlyRequest | undefined
}

/** `fetch`; but the first request that is the same as the early one takes its answer. If none came, it is sent again. */
export const fetchUnlessEarly: typeof fetch = (url, init) => {
  const early = globalThis.busbarEarly
  const lang = new Headers(init?.headers).get('accept-language')
  if (!early || early.url !== url || early.lang !== lang || early.body !== init?.body) return fetch(url, init)
  globalThis.busbarEarly = undefined
  return early.answer.catch(() => fetch(url, init))
}
