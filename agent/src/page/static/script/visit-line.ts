import type { VisitView } from '../../page-api.ts'

export interface VisitLine {
  /** Takes control, or asks its holder for it. */
  takeControl(): Promise<void>
}

const askEveryMs = 5_000
const answerMsMax = 10_000

/**
 * Asks the platform about the visit while the page is visible. It answers on the page's own host, under a
 * path that no machine serves; an older platform answers 404, and the page shows nothing.
 */
export function openVisitLine(onVisit: (visit: VisitView) => void): VisitLine {
  async function ask(path: string, method: 'GET' | 'POST'): Promise<void> {
    const abort = new AbortController()
    const timer = window.setTimeout(() => abort.abort(), answerMsMax)
    try {
      const response = await fetch(path, {
        method,
        redirect: 'manual',
        cache: 'no-store',
        signal: abort.signal,
      })
      const isJson = (response.headers.get('content-type') || '').startsWith('application/json')
      if (response.status === 200 && isJson) onVisit((await response.json()) as VisitView)
    } catch {
      // It is repeated; the line to the agent reports the loss.
    } finally {
      clearTimeout(timer)
    }
  }

  const look = (): void => {
    if (!document.hidden) void ask('/.busbar/visit', 'GET')
  }
  document.addEventListener('visibilitychange', look)
  window.setInterval(look, askEveryMs)
  look()
  return { takeControl: () => ask('/.busbar/control', 'POST') }
}
