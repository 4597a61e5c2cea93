import type { Writable } from 'node:stream'
import type { Scene } from '@busbar/contract/push'
import { type Kysely, sql } from 'kysely'
import type { WebSocket } from 'ws'
import type { EdgeLink, ValuesWatch } from '../edge-link/edge-link.ts'
import type { Bus, BusEvents } from '../kernel/bus/bus.ts'
import type { DB } from '../kernel/database/schema.gen.ts'
import { listUserEvents, type UserEventRow, userEventsStream } from '../kernel/events/user-events.ts'
import { every } from '../kernel/every.ts'
import { StreamFollower } from '../kernel/facts/stream-follower.ts'
import type { SignedIn } from '../kernel/http/bind.ts'
import { createLogOnce, type LogOnce } from '../kernel/log-once.ts'
import type { Logger } from '../kernel/logger.ts'
import type { RightChange, RightsWatch } from '../kernel/rights/rights-watch.ts'
import { spread } from '../kernel/spread.ts'
import type { AccessPort } from '../modules/access/index.ts'
import { Attendance } from './attendance.ts'
import { Channel, channelKey } from './channel.ts'
import {
  encodeHistoryChange,
  encodeLogout,
  encodePush,
  encodeSpaceChange,
  encodeTagsChange,
  isPlaceChange,
  machineOfPlace,
} from './frames.ts'
import { joinSpans, MachineUpdates } from './machine-updates.ts'
import { MessageBudget } from './message-budget.ts'
import { Priming } from './priming.ts'
import {
  closeCodes,
  type EventFrame,
  type PushCounters,
  type PushRequests,
  PushSocket,
  type Watch,
} from './push-socket.ts'
import { encodeTagValues } from './tag-values-frame.ts'
import { WriteTurns } from './write-turns.ts'

/** See rules/calls.md: push socket. */
const socketsMax = { perPerson: 30, perSession: 10 } as const
/** See rules/telemetry.md: live values. */
const watchesPerSocketMax = 200
const expiryCheckMs = 30_000
/** Longer waits overflow a timer; the right is simply checked again in between. */
const timerMsMax = 24 * 3_600_000

export interface HubDeps {
  readonly db: Kysely<DB>
  readonly bus: Bus
  readonly logger: Logger
  readonly access: AccessPort
  readonly rights: RightsWatch
  readonly link: Pick<EdgeLink, 'latestOfEach' | 'watch'>
  /** The session of a `sid`; a ticket is used up by asking. */
  findPushSession(sid: string, now: number, host: string | undefined): Promise<SignedIn | undefined>
  now(): number
}

/** The sets of tags of a machine that are watched, and the lease on its values. */
interface WatchedMachine {
  readonly channels: Set<Channel>
  lease: Promise<ValuesWatch> | undefined
}

/** One that is not known to begin is ended when it does; the holder ends one that never does. */
const endWatch = ({ lease }: WatchedMachine): void => {
  lease?.then((watch) => watch.end()).catch(() => undefined)
}

/** Every push socket of this process: its person, its watches, and the cutting of lost rights. */
export class RealtimeHub implements PushRequests {
  /** The visits that have their bar on a page of this process. */
  readonly attendance = new Attendance()
  readonly turns = new WriteTurns()
  readonly counters: PushCounters = { frames: 0, bytes: 0, heldBack: 0, givenUp: 0 }
  readonly #deps: HubDeps
  readonly #rights: RightsWatch
  readonly #sockets = new Map<number, Set<PushSocket>>()
  readonly #channels = new Map<string, Channel>()
  readonly #watched = new Map<number, WatchedMachine>()
  readonly #historyChanges = new MachineUpdates<BusEvents['late']>(
    (change) => this.#publishToWatchers(change.machineId, encodeHistoryChange(change, this.#deps.now())),
    joinSpans,
  )
  readonly #tagChanges = new MachineUpdates<BusEvents['tags']>(
    ({ machineId }) => this.#publishToWatchers(machineId, encodeTagsChange(machineId, this.#deps.now())),
    (_, change) => change,
  )
  readonly #subscriptions: (() => void)[] = []
  readonly #events: StreamFollower<UserEventRow>
  readonly #log: LogOnce
  readonly #priming: Priming
  readonly #budget = new MessageBudget()
  /** The messages that wait after a stall of this process until rights were read. */
  #held: { readonly socket: PushSocket; readonly send: () => void }[] = []
  #expiryTimer: NodeJS.Timeout | undefined

  constructor(deps: HubDeps) {
    this.#deps = deps
    this.#rights = deps.rights
    this.#log = createLogOnce(deps.logger)
    this.#events = new StreamFollower<UserEventRow>({
      db: deps.db,
      bus: deps.bus,
      topic: 'userEvents',
      stream: userEventsStream,
      isUrgent: true,
      tell: (events) => {
        for (const event of events) this.#sendEvent(event)
      },
      didFail: (error) => this.#log.warn({ err: error }, 'pageEvents.readFailed'),
    })
    this.#priming = new Priming({
      access: deps.access,
      rights: deps.rights,
      log: this.#log,
      latest: (machineIds) => this.#latest(machineIds),
      now: () => deps.now(),
      unwatch: (socket, machineId) => this.unwatch(socket, machineId),
      found: (socket, watch, endsAt) => this.#askAgainAt(socket, watch, endsAt),
    })
  }

  async start(): Promise<void> {
    await this.#events.start()
    this.#subscriptions.push(
      this.#rights.subscribe({
        changed: (change) => this.#apply(change),
        blind: () => this.#endAllWatches(),
      }),
    )
    const closeEnded = () =>
      this.#closeEnded([...this.#all()]).catch((error) =>
        this.#log.warn({ err: error }, 'sessions.checkFailed'),
      )
    this.#expiryTimer = every(expiryCheckMs, closeEnded, this.#deps.logger)
    this.#subscriptions.push(
      this.#deps.bus.subscribe('late', (change) => {
        if (this.#watched.has(change.machineId)) this.#historyChanges.add(change)
      }),
      this.#deps.bus.subscribe('tags', (change) => {
        if (this.#watched.has(change.machineId)) this.#tagChanges.add(change)
      }),
    )
  }

  /** Ends the sockets of pages, spread over `ms`: each page opens another one, at another node. */
  leave(ms: number): Promise<void> {
    return spread([...this.#all()], ms, (socket) =>
      socket.close(closeCodes.goingAway, 'the platform goes on at another node'),
    )
  }

  stop(): void {
    void this.#events.stop()
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    clearInterval(this.#expiryTimer)
    this.#historyChanges.close()
    this.#tagChanges.close()
    for (const socket of this.#all()) socket.close(closeCodes.goingAway, 'the server is stopping')
    for (const channel of this.#channels.values()) channel.close()
    for (const watched of this.#watched.values()) endWatch(watched)
    this.#log.stop()
  }

  /** Open sockets, watched sets of tags, watches of sockets, and the messages sent since the start. */
  stats(): { sockets: number; channels: number; watches: number } & Readonly<PushCounters> {
    const sockets = [...this.#all()]
    const watches = sockets.reduce((sum, socket) => sum + socket.watches.size, 0)
    return { sockets: sockets.length, channels: this.#channels.size, watches, ...this.counters }
  }

  /** Takes a WebSocket over that was opened on `host`, with the connection below it; a `sid` that is wrong there closes it with 4401. */
  async accept(ws: WebSocket, wire: Writable, sid: string, host: string | undefined): Promise<void> {
    // Frames that arrive while the sid is being checked must not be lost.
    ws.pause()
    ws.on('error', () => ws.terminate())
    const user = await this.#identify(sid, host)
    if (ws.readyState !== ws.OPEN) return
    if (user === undefined || user === 'unknown') {
      ws.resume()
      // A page that gets 4401 signs out: only a sid that is certainly wrong may cause that.
      if (user === undefined) ws.close(closeCodes.unauthorized, 'unauthorized')
      else ws.close(closeCodes.tryAgain, 'try again')
      return
    }
    const sockets = this.#sockets.get(user.userId) ?? new Set()
    const ofSession = [...sockets].filter((one) => one.user.sessionId === user.sessionId).length
    if (sockets.size >= socketsMax.perPerson || ofSession >= socketsMax.perSession) {
      ws.resume()
      ws.close(closeCodes.tooMany, 'too many sockets')
      return
    }
    this.#sockets.set(user.userId, sockets)
    const socket = new PushSocket(ws, wire, user, this)
    sockets.add(socket)
    ws.resume()
    // The session may have ended, and its change been delivered, between the look-up and now.
    await this.#closeEnded([socket]).catch(() => socket.close(closeCodes.tryAgain, 'try again'))
  }

  /** Sends a user's own event to all of that user's pages here. */
  #sendEvent(event: UserEventRow): void {
    const sockets = this.#sockets.get(event.user_id)
    if (!sockets) return
    const frame = encodePush(event.scene as Scene, event.body, event.id, event.at.getTime())
    for (const socket of sockets) {
      if (this.mayPass()) socket.sendEvent(event.id, frame)
      else this.hold(socket, () => socket.sendEvent(event.id, frame))
    }
  }

  mayPass(): boolean {
    return this.#held.length === 0 && this.#rights.isAwake()
  }

  hold(socket: PushSocket, send: () => void): void {
    this.#held.push({ socket, send })
    if (this.#held.length === 1) void this.#sendHeld()
  }

  async #sendHeld(): Promise<void> {
    const isFresh = await this.#rights.whenFresh()
    const held = this.#held
    this.#held = []
    for (const { socket, send } of held) {
      if (isFresh) send()
      // The page comes back and requests the missed events.
      else socket.close(closeCodes.tryAgain, 'try again')
    }
  }

  watch(socket: PushSocket, machineId: number, tagIds: readonly number[]): void {
    this.unwatch(socket, machineId)
    if (socket.watches.size >= watchesPerSocketMax) {
      socket.close(closeCodes.tooMany, 'too many watches')
      return
    }
    const channel = this.#join(machineId, tagIds)
    const watch: Watch = {
      channel,
      picture: 0,
      isPriming: true,
      pictured: 0,
      hasMissed: false,
      endTimer: undefined,
    }
    channel.receivers.add(socket)
    socket.watches.set(machineId, watch)
    this.#priming.add(socket, watch)
  }

  unwatch(socket: PushSocket, machineId: number): void {
    const watch = socket.watches.get(machineId)
    if (!watch) return
    clearTimeout(watch.endTimer)
    socket.watches.delete(machineId)
    watch.channel.receivers.delete(socket)
    if (watch.channel.receivers.size === 0) this.#remove(watch.channel)
  }

  takeMessage(socket: PushSocket): number {
    return this.#budget.take(socket.user.userId)
  }

  attend(socket: PushSocket, visitId: number): void {
    this.attendance.attend(socket, socket.user.userId, visitId)
  }

  unattend(socket: PushSocket, visitId: number): void {
    this.attendance.unattend(socket, socket.user.userId, visitId)
  }

  resume(socket: PushSocket, afterId: number): void {
    socket.sendFirst(this.#missedEvents(socket.user.userId, afterId)).catch((error) => {
      this.#log.warn({ err: error }, 'missedEvents.readFailed')
      socket.close(closeCodes.tryAgain, 'try again')
    })
  }

  refresh(socket: PushSocket, watch: Watch): void {
    if (socket.watches.get(watch.channel.machineId) === watch) this.#priming.add(socket, watch)
  }

  closed(socket: PushSocket): void {
    for (const machineId of [...socket.watches.keys()]) this.unwatch(socket, machineId)
    this.attendance.leave(socket, socket.user.userId)
    const sockets = this.#sockets.get(socket.user.userId)
    sockets?.delete(socket)
    if (sockets?.size === 0) this.#sockets.delete(socket.user.userId)
  }

  async #identify(sid: string, host: string | undefined): Promise<SignedIn | undefined | 'unknown'> {
    if (!(await this.#rights.whenFresh())) return 'unknown'
    try {
      return await this.#deps.findPushSession(sid, this.#deps.now(), host)
    } catch (error) {
      this.#log.warn({ err: error }, 'pushSession.readFailed')
      return 'unknown'
    }
  }

  async *#missedEvents(userId: number, afterId: number): AsyncGenerator<EventFrame[]> {
    for (let last = afterId; ; ) {
      const events = await listUserEvents(this.#deps.db, userId, last)
      if (!(await this.#rights.whenFresh())) throw new Error('rights could not be read lately')
      yield (await this.#withoutLostPlaces(userId, events)).map(({ id, scene, body, at }) => ({
        id,
        frame: encodePush(scene as Scene, body, id, at.getTime()),
      }))
      const newest = events.at(-1)
      if (!newest) return
      last = newest.id
    }
  }

  /** Where a machine is concerns nobody who lost the right to it meanwhile. */
  async #withoutLostPlaces<Row extends { readonly scene: number; readonly body: Uint8Array }>(
    userId: number,
    events: readonly Row[],
  ): Promise<readonly Row[]> {
    const places = events.filter(isPlaceChange)
    const machineIds = [...new Set(places.map(({ body }) => machineOfPlace(body)))]
    const held = await this.#deps.access.list(userId, machineIds, this.#deps.now())
    return events.filter(
      (event) => !isPlaceChange(event) || held.get(machineOfPlace(event.body))?.rights.has('holder'),
    )
  }

  /** A visit time ends by itself, without a row in right_changes. */
  #askAgainAt(socket: PushSocket, watch: Watch, endsAt: number | undefined): void {
    clearTimeout(watch.endTimer)
    if (endsAt === undefined) return
    const inMs = Math.min(Math.max(endsAt - this.#deps.now(), 0), timerMsMax)
    watch.endTimer = setTimeout(() => this.refresh(socket, watch), inMs)
  }

  /** To everybody who watches the machine; false while a person's right is being checked. */
  #publishToWatchers(machineId: number, frame: Uint8Array): boolean {
    let isEverybodyTold = true
    for (const channel of this.#watched.get(machineId)?.channels ?? []) {
      for (const receiver of channel.receivers) {
        isEverybodyTold = receiver.deliverUpdate(channel, frame) && isEverybodyTold
      }
    }
    return isEverybodyTold
  }

  /** Sessions run out without a row in right_changes either. */
  async #closeEnded(sockets: readonly PushSocket[]): Promise<void> {
    if (sockets.length === 0) return
    const sessionIds = [...new Set(sockets.map((socket) => socket.user.sessionId))]
    const rows = await this.#deps.db
      .selectFrom('sessions')
      .select('id')
      .where(sql<boolean>`id = any(${sessionIds}::bigint[])`)
      .where('expires_at', '>', new Date(this.#deps.now()))
      .execute()
    const live = new Set(rows.map((row) => row.id))
    for (const socket of sockets) {
      if (!live.has(socket.user.sessionId)) socket.close(closeCodes.unauthorized, 'ended')
    }
  }

  #join(machineId: number, tagIds: readonly number[]): Channel {
    const key = channelKey(machineId, tagIds)
    const known = this.#channels.get(key)
    if (known) return known
    const channel = new Channel({
      machineId,
      tagIds: tagIds.length ? new Set(tagIds) : undefined,
      encode: (id, values) => encodeTagValues(id, values, this.#deps.now()),
    })
    this.#channels.set(key, channel)
    this.#watch(machineId).channels.add(channel)
    return channel
  }

  /** A machine's values are requested when somebody watches it, for all its channels. */
  #watch(machineId: number): WatchedMachine {
    const watched = this.#watched.get(machineId) ?? { channels: new Set(), lease: undefined }
    this.#watched.set(machineId, watched)
    // The caller that waits for the first picture gets the error.
    this.#leaseOf(machineId).catch(() => undefined)
    return watched
  }

  /** Resolves when the machine's values come; one that could not be reached is asked again the next time. */
  async #leaseOf(machineId: number): Promise<void> {
    const watched = this.#watched.get(machineId)
    if (!watched) return
    watched.lease ??= this.#deps.link.watch(machineId, (values) => {
      for (const channel of watched.channels) channel.push(values)
    })
    const { lease } = watched
    try {
      await lease
    } catch (error) {
      if (watched.lease === lease) watched.lease = undefined
      throw error
    }
  }

  /** The newest values, read once new ones come: none is missed between the two. */
  async #latest(machineIds: readonly number[]): ReturnType<EdgeLink['latestOfEach']> {
    await Promise.all(machineIds.map((machineId) => this.#leaseOf(machineId)))
    return this.#deps.link.latestOfEach(machineIds)
  }

  #remove(channel: Channel): void {
    channel.close()
    this.#channels.delete(channelKey(channel.machineId, channel.tagIds ? [...channel.tagIds] : []))
    const watched = this.#watched.get(channel.machineId)
    if (!watched?.channels.delete(channel) || watched.channels.size > 0) return
    this.#watched.delete(channel.machineId)
    endWatch(watched)
  }

  /** A right changed: sessions that ended are closed at once, watches are checked again. */
  #apply(change: RightChange): void {
    if (change.projectId !== null) return
    if (change.sessionId !== null) {
      for (const socket of this.#of(change.userId)) {
        if (socket.user.sessionId === change.sessionId) this.#end(socket, change)
      }
      return
    }
    // Rights to one machine are published with its state.
    const update = change.userId !== null && change.machineId === null && encodeSpaceChange(this.#deps.now())
    for (const socket of this.#of(change.userId)) {
      if (update) socket.send(update)
      for (const watch of [...socket.watches.values()]) {
        if (change.machineId === null || change.machineId === watch.channel.machineId)
          this.#priming.add(socket, watch)
      }
    }
  }

  #end(socket: PushSocket, change: RightChange): void {
    if (change.reason !== 'logout')
      socket.sendAtOnce(encodeLogout(change.address ?? '', change.reason, this.#deps.now()))
    socket.close(closeCodes.unauthorized, change.reason)
    this.closed(socket)
  }

  #endAllWatches(): void {
    for (const socket of this.#all()) socket.close(closeCodes.goingAway, 'rights unknown')
  }

  #of(userId: number | null): PushSocket[] {
    return userId === null ? [...this.#all()] : [...(this.#sockets.get(userId) ?? [])]
  }

  *#all(): Generator<PushSocket> {
    for (const sockets of this.#sockets.values()) yield* sockets
  }
}
