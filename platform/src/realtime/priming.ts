import { setImmediate } from 'node:timers/promises'
import type { TagValueEvent } from '../kernel/bus/bus.ts'
import type { LogOnce } from '../kernel/log-once.ts'
import type { RightsWatch } from '../kernel/rights/rights-watch.ts'
import type { Access, AccessPort } from '../modules/access/index.ts'
import type { Channel } from './channel.ts'
import { closeCodes, type PushSocket, type Watch } from './push-socket.ts'
import type { SharedFrame } from './shared-frame.ts'
import { encodeTagValues } from './tag-values-frame.ts'

/** Watches whose rights are checked in one query. */
const batchMax = 100
/** Pictures encoded between two turns of the event loop. */
const burstMax = 20
/** Times the newest values are read for one picture when others come meanwhile. */
const picturesMax = 2

export interface PrimingDeps {
  readonly access: Pick<AccessPort, 'listPairs'>
  readonly rights: Pick<RightsWatch, 'isAwake' | 'whenFresh'>
  readonly log: LogOnce
  /** The newest values of machines, from memory where they are known there. */
  latest(machineIds: readonly number[]): Promise<ReadonlyMap<number, readonly TagValueEvent[]>>
  now(): number
  /** The person may not see the machine. */
  unwatch(socket: PushSocket, machineId: number): void
  /** The right was found, and lasts until then. */
  found(socket: PushSocket, watch: Watch, endsAt: number | undefined): void
}

interface PrimingRequest {
  readonly socket: PushSocket
  readonly watch: Watch
  readonly picture: number
}

/** Sends the current values of the watched tags as soon as the right to see them is certain. */
export class Priming {
  readonly #deps: PrimingDeps
  #requests: PrimingRequest[] = []
  #isRunning = false

  constructor(deps: PrimingDeps) {
    this.#deps = deps
  }

  /** The last one of several requests for one watch counts. */
  add(socket: PushSocket, watch: Watch): void {
    watch.isPriming = true
    this.#requests.push({ socket, watch, picture: ++watch.picture })
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#requests.length > 0) {
      // Requests of the same turn go into the same query.
      await setImmediate()
      const batch = this.#requests.splice(0, batchMax).filter(isCurrent)
      try {
        await this.#prime(batch)
      } catch (error) {
        this.#deps.log.warn({ err: error, watches: batch.length }, 'watch.openFailed')
        // The page comes back by itself and watches anew; a silent watch would look like a silent machine.
        for (const request of batch)
          if (isCurrent(request)) request.socket.close(closeCodes.tryAgain, 'try again')
      }
    }
    this.#isRunning = false
  }

  async #prime(batch: readonly PrimingRequest[]): Promise<void> {
    const { access, rights, latest, now, unwatch } = this.#deps
    if (batch.length === 0) return
    if (!(await rights.whenFresh())) throw new Error('rights could not be read lately')
    const at = now()
    const pairs = new Map(batch.map(({ socket, watch }) => [keyOf(socket, watch), pairOf(socket, watch)]))
    const found = await access.listPairs([...pairs.values()], at)
    const accessOf = new Map(found.map((pair) => [`${pair.userId} ${pair.machineId}`, pair.access]))
    const allowed: { request: PrimingRequest; right: Access }[] = []
    for (const request of batch.filter(isCurrent)) {
      const right = accessOf.get(keyOf(request.socket, request.watch))
      if (right?.rights.has('visitor+')) allowed.push({ request, right })
      else unwatch(request.socket, request.watch.channel.machineId)
    }
    const machineIds = [...new Set(allowed.map(({ request }) => request.watch.channel.machineId))]
    let values: ReadonlyMap<number, readonly TagValueEvent[]> = new Map()
    const hasMissed = () => allowed.some(({ request }) => request.watch.hasMissed)
    for (let reads = 0; reads < picturesMax && (reads === 0 || hasMissed()); reads++) {
      for (const { request } of allowed) {
        const { watch } = request
        watch.hasMissed = false
        // Values are in memory before their frame is made: values read later include these frames.
        watch.pictured = watch.channel.frames
      }
      values = await latest(machineIds)
    }
    await this.#show(allowed, values)
  }

  async #show(
    allowed: readonly { request: PrimingRequest; right: Access }[],
    values: ReadonlyMap<number, readonly TagValueEvent[]>,
  ): Promise<void> {
    const { rights, now, found } = this.#deps
    const pictures = new Map<Channel, SharedFrame | undefined>()
    for (const [place, { request, right }] of allowed.entries()) {
      if (place > 0 && place % burstMax === 0) await setImmediate()
      if (!isCurrent(request)) continue
      const { socket, watch } = request
      const { machineId, tagIds } = watch.channel
      // The values read may be from before a stall, or newer ones came since.
      if (!rights.isAwake() || (place >= burstMax && watch.hasMissed)) {
        this.add(socket, watch)
        continue
      }
      let picture = pictures.get(watch.channel)
      if (!pictures.has(watch.channel)) {
        const shown = (values.get(machineId) ?? []).filter(({ tagId }) => !tagIds || tagIds.has(tagId))
        picture = shown.length ? encodeTagValues(machineId, shown, now()) : undefined
        pictures.set(watch.channel, picture)
      }
      found(socket, watch, right.endsAt)
      watch.isPriming = false
      socket.show(watch, picture)
    }
  }
}

const isCurrent = ({ socket, watch, picture }: PrimingRequest): boolean =>
  socket.watches.get(watch.channel.machineId) === watch && watch.picture === picture
const pairOf = ({ user }: PushSocket, { channel }: Watch) => ({
  userId: user.userId,
  machineId: channel.machineId,
})
const keyOf = ({ user }: PushSocket, { channel }: Watch): string => `${user.userId} ${channel.machineId}`
