import { Backoff } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import { errorReason, type Log } from '../log.ts'
import { pause } from './pause.ts'
import type { Gps, PositionSource, Told, ToldPart } from './told.ts'

/** The first look comes soon after the start, when the parts of the first fix are together. */
const firstLookMs = 2_000
const lookEveryMs = 10_000
const publishEveryMs = 10 * 60_000
const movedMetres = 100
/** Older news gives way to that of the next source. */
const freshMs = 3 * 60_000
const retryFirstMs = 5_000
const retryMostMs = 5 * 60_000
/** A source that worked for this long and fails is worth a line of its own. */
const steadyMs = 60_000
const parts = ['gps', 'cells', 'wifi'] as const satisfies readonly ToldPart[]

export interface PositionOptions {
  /** The first that knows a part of the position tells it. */
  readonly sources: readonly PositionSource[]
  /** Publishes attributes of the machine, as JSON. */
  readonly publish: (attributes: ReadonlyMap<ToldPart, string>) => void
  readonly clock: Clock
  readonly log: Log
}

/** Publishes where the machine is (rules/agents.md: position), until the returned function is called. */
export function startPosition({ sources, publish, clock, log }: PositionOptions): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  const news = sources.map((): News => new Map())
  const published = new Map<ToldPart, string>()
  let publishedGps: Gps | undefined
  let publishedAtMs = -Infinity
  let cancelLook = clock.after(firstLookMs, look)

  function look(): void {
    cancelLook = clock.after(lookEveryMs, look)
    const now = clock.monotonic()
    const told = newestOf(news, now - freshMs)
    const isDue = now - publishedAtMs >= publishEveryMs || hasMoved(publishedGps, told.gps)
    const changes = new Map<ToldPart, string>()
    for (const part of parts) {
      if (told[part] === undefined || (!isDue && published.has(part))) continue
      const json = JSON.stringify(told[part])
      if (json !== published.get(part)) changes.set(part, json)
    }
    if (changes.size === 0) return
    for (const [part, json] of changes) published.set(part, json)
    if (changes.has('gps')) publishedGps = told.gps
    if (isDue) publishedAtMs = now
    publish(changes)
  }

  async function follow(source: PositionSource, own: News): Promise<void> {
    const backoff = new Backoff(retryFirstMs, retryMostMs)
    let isNoted = false
    while (!signal.aborted) {
      const beganMs = clock.monotonic()
      let heardMs = beganMs
      const tell = (told: Told): void => {
        heardMs = clock.monotonic()
        for (const part of parts) if (told[part] !== undefined) own.set(part, { told, atMs: heardMs })
      }
      const failure = await source.run(tell, signal).catch((error: unknown) => error)
      if (signal.aborted) return
      if (heardMs - beganMs >= steadyMs) {
        backoff.reset()
        isNoted = false
      }
      if (!isNoted) log('warn', 'position.failed', { source: source.name, reason: errorReason(failure) })
      isNoted = true
      await pause(backoff.nextMs(), clock, signal)
    }
  }

  sources.forEach((source, index) => void follow(source, news[index] as News))
  return () => {
    cancelLook()
    stopping.abort()
  }
}

/** The newest of each part that a source told. */
type News = Map<ToldPart, { readonly told: Told; readonly atMs: number }>

/** Each part from the first source that told it lately. */
function newestOf(news: readonly News[], sinceMs: number): Told {
  return Object.assign(
    {},
    ...parts.map((part) => {
      const fresh = news.map((own) => own.get(part)).find((one) => one !== undefined && one.atMs >= sinceMs)
      return fresh === undefined ? {} : { [part]: fresh.told[part] }
    }),
  )
}

/** A vague fix shows no small move. */
function hasMoved(from: Gps | undefined, to: Gps | undefined): boolean {
  return (
    from !== undefined && to !== undefined && metresBetween(from, to) >= Math.max(movedMetres, to.accuracy)
  )
}

const earthMetres = 6_371_000

/** On a sphere: to half a percent. */
function metresBetween(from: Gps, to: Gps): number {
  const radians = Math.PI / 180
  const square = (angle: number) => Math.sin((angle * radians) / 2) ** 2
  const chord =
    square(to.lat - from.lat) +
    Math.cos(from.lat * radians) * Math.cos(to.lat * radians) * square(to.lng - from.lng)
  return 2 * earthMetres * Math.asin(Math.min(1, Math.sqrt(chord)))
}
