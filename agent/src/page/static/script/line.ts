import type {
  ErrorView,
  ModeView,
  PageEvents,
  PageView,
  TrendView,
  WriteRequest,
  WriteView,
} from '../../page-api.ts'

/** The events of the line. */
export interface LineListener {
  onPage(page: PageView): void
  onMode(mode: ModeView): void
  onEvent<Name extends keyof PageEvents>(name: Name, data: PageEvents[Name]): void
  onLost(): void
  /** The visit is over: nothing is tried any more. */
  onEnded(): void
}

export type WriteAnswer = WriteView | ErrorView | 'noAnswer'

export interface Line {
  write(request: WriteRequest): Promise<WriteAnswer>
  trend(tag: number): Promise<TrendView | null>
  /** Asks whether the page may write now. */
  refreshMode(): Promise<void>
}

const retryMsMin = 1_000
const retryMsMax = 20_000
/** Seven beats: then the line is dead, whatever the browser thinks. */
const silenceMsMax = 35_000
const answerMsMax = 20_000

/** Keeps the line to the agent: asks what the page is, then listens; when it breaks, again and again. */
export function openLine(listener: LineListener): Line {
  let stream: EventSource | null = null
  let ended = false
  let failures = 0
  let retry = 0
  let silence = 0
  let mode: ModeView = { mode: 'ro', reason: null }

  function end(): void {
    if (ended) return
    ended = true
    disconnect()
    listener.onEnded()
  }

  function disconnect(): void {
    stream?.close()
    stream = null
    clearTimeout(retry)
    clearTimeout(silence)
  }

  function lose(): void {
    if (ended) return
    disconnect()
    listener.onLost()
    const delayMs = Math.min(retryMsMax, retryMsMin * 2 ** failures)
    failures++
    // Spreads the reconnection of all pages after a restart of the agent.
    retry = window.setTimeout(() => void connect(), delayMs * (0.75 + Math.random() / 2))
  }

  function heard(): void {
    failures = 0
    clearTimeout(silence)
    silence = window.setTimeout(lose, silenceMsMax)
  }

  async function connect(): Promise<void> {
    disconnect()
    const page = await ask<PageView>('api/page')
    if (ended) return
    if (page === null || 'error' in page) return lose()
    mode = page
    listener.onPage(page)
    stream = new EventSource('api/events')
    stream.onerror = lose
    listen('snapshot')
    listen('values')
    listen('state')
    listen('write')
    listen('beat')
    silence = window.setTimeout(lose, silenceMsMax)
  }

  function listen<Name extends keyof PageEvents>(name: Name): void {
    stream?.addEventListener(name, (event) => {
      heard()
      listener.onEvent(name, JSON.parse((event as MessageEvent<string>).data))
      // Control may begin while a person watches; the stream is not closed for that.
      if (name === 'beat' && mode.reason === 'visit') void refreshMode()
    })
  }

  async function refreshMode(): Promise<void> {
    const now = await ask<ModeView>('api/mode')
    if (now === null || 'error' in now || now.mode === mode.mode) return
    mode = now
    listener.onMode(now)
  }

  /** Null if no answer of the agent came. */
  async function ask<Answer>(path: string, body?: unknown): Promise<Answer | ErrorView | null> {
    const abort = new AbortController()
    const timer = window.setTimeout(() => abort.abort(), answerMsMax)
    const post = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    try {
      const response = await fetch(path, {
        ...(body === undefined ? {} : post),
        redirect: 'manual',
        cache: 'no-store',
        signal: abort.signal,
      })
      const isOurs = (response.headers.get('content-type') || '').startsWith('application/json')
      const answer = isOurs ? ((await response.json()) as Answer | ErrorView) : null
      const isRefused = response.status === 401 || response.status === 403
      // After the visit has ended, the platform redirects or answers with a page of its own.
      if (response.type === 'opaqueredirect' || (isRefused && !isOurs) || isOver(answer)) end()
      return answer
    } catch {
      return null
    } finally {
      clearTimeout(timer)
    }
  }

  window.addEventListener('online', () => {
    if (stream === null && !ended) void connect()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && mode.reason === 'visit') void refreshMode()
  })
  void connect()

  return {
    refreshMode,
    async write(request) {
      const answer = await ask<WriteView>('api/write', request)
      if (answer !== null && 'error' in answer && answer.error === 'watching') void refreshMode()
      return answer === null ? 'noAnswer' : answer
    },
    async trend(tag) {
      const answer = await ask<TrendView>(`api/trend?tags=${tag}`)
      return answer === null || 'error' in answer ? null : answer
    },
  }
}

function isOver(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && (answer as Partial<ErrorView>).error === 'ended'
}
