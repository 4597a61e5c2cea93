/*
 * Loaded into the platform and the agent by `--import`, never shipped: their wall clock can be stepped, and they tell
 * what they hold. `BUSBAR_CLOCK_OFFSET_MS` is where the clock stands at the start.
 */

/** Messages from the parent over IPC. */
export type Asked =
  | { readonly type: 'fault:clock'; readonly offsetMs: number }
  | { readonly type: 'fault:measure' }
/** The memory of a process, after a garbage collection if `--expose-gc` allows it. Bytes. */
export interface Held {
  readonly type: 'fault:held'
  readonly heapUsed: number
  readonly external: number
  /** Open sockets, timers and the like, by their kind. */
  readonly resources: Readonly<Record<string, number>>
}

const RealDate = Date
let offsetMs = Number(process.env.BUSBAR_CLOCK_OFFSET_MS ?? 0)
const now = () => RealDate.now() + offsetMs

// A proxy, so that dates made by C++ are still instances of it.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
})

process.on('message', (asked: Asked) => {
  if (asked.type === 'fault:clock') offsetMs = asked.offsetMs
  if (asked.type !== 'fault:measure') return
  for (let round = 0; round < 3; round++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  const resources: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1
  process.send?.({ type: 'fault:held', heapUsed, external, resources } satisfies Held)
})
