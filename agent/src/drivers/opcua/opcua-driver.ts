import { Quality } from '@busbar/link'
import type { DataValue } from 'node-opcua-client'
import { AttributeIds } from 'node-opcua-client'
import { errorReason } from '../../log.ts'
import type { Reading, TagValue } from '../../tag.ts'
import { isScaled, scaleValue, unscaleValue } from '../../tag.ts'
import type { Driver, TagTrouble } from '../driver.ts'
import { allBad, badReading, ControllerAway } from '../driver.ts'
import type { DriverDeps } from '../driver-kind.ts'
import { Presence } from '../polled/presence.ts'
import { formatNodeAddress, resolveNode } from './node-address.ts'
import { readNodeFacts } from './node-facts.ts'
import { readNodeShape } from './node-shape.ts'
import type { OpcUaConnection, OpcUaTag } from './opcua-connection.ts'
import type { Line } from './opcua-line.ts'
import { openLine, within } from './opcua-line.ts'
import type { FollowedNode, Told } from './opcua-subscription.ts'
import { OpcUaSubscription } from './opcua-subscription.ts'
import { OpcUaTags } from './opcua-tags.ts'
import { failureReason, isNodeGone, statusReason } from './reasons.ts'
import { SourceTimes } from './source-time.ts'
import { decodeValue, encodeValue, qualityOf, shapeRefusal, tagTypeFor } from './values.ts'

/** A session that is broken for this long is given up, and a new one opened. */
const repairMs = 20_000
/** Interval at which a missing node is requested again. */
const refusedRetryMs = 60_000
/** The first poll waits this long for the first values. */
const firstValuesMs = 1_500
/** The most nodes refused together that are logged one by one. */
const refusedLinesMax = 20

/** The driver of one OPC UA server: follows its nodes by a subscription. */
export function createOpcUaDriver(connection: OpcUaConnection, deps: DriverDeps): Driver {
  return new OpcUaDriver(connection, deps)
}

class OpcUaDriver implements Driver {
  readonly #connection: OpcUaConnection
  readonly #deps: DriverDeps
  readonly #tags: OpcUaTags
  readonly #times: SourceTimes
  readonly #about: { connection: string }
  readonly #presence: Presence
  /** The newest value of each tag since the subscription was made. */
  readonly #latest: (Reading | undefined)[] = []
  /** The reasons why tags lack a value. */
  readonly #refused = new Map<number, string>()
  readonly #firstValues: Promise<void>
  #firstValuesCame: () => void = () => undefined
  #tell: (readings: readonly Reading[]) => void = () => undefined
  #line: Line | null = null
  #subscription: OpcUaSubscription | null = null
  /** The session's connection is broken, and may come back. */
  #isBroken = false
  #isClosed = false
  #isChanged = false
  #endLine: (reason: string) => void = () => undefined
  #cancelPause: () => void = () => undefined
  readonly #running: Promise<void>

  constructor(connection: OpcUaConnection, deps: DriverDeps) {
    this.#connection = connection
    this.#deps = deps
    this.#about = { connection: connection.name }
    this.#presence = new Presence('opcua', connection.name, deps.log)
    this.#tags = new OpcUaTags(connection, deps.stateFolder)
    this.#times = new SourceTimes({ ...deps, times: connection.times, connection: connection.name })
    this.#firstValues = new Promise((resolve) => {
      this.#firstValuesCame = resolve
    })
    this.#running = this.#run()
  }

  subscribe(onReadings: (readings: readonly Reading[]) => void): void {
    this.#tell = onReadings
  }

  async poll(): Promise<Reading[]> {
    await this.#firstValues
    if (this.#subscription?.isSilent) this.#endLine('the server is silent')
    if (!this.#isUp) return allBad(this.#connection.tags.length)
    return this.#standing()
  }

  async read(index: number): Promise<Reading> {
    const node = this.#nodeOf(index)
    if (!this.#isUp || this.#line === null || node === null) return badReading(index)
    try {
      const work = this.#line.session.read({ nodeId: node, attributeId: AttributeIds.Value })
      const value = await within(this.#connection.timeoutMs, work)
      const reading = this.#readingOf({ index, value, isFirst: true })
      this.#latest[index] = standing(reading)
      return reading
    } catch {
      return badReading(index)
    }
  }

  async write(index: number, value: TagValue): Promise<void> {
    const tag = this.#connection.tags[index] as OpcUaTag
    const line = this.#line
    if (!this.#isUp || line === null) throw new ControllerAway()
    const nodeId = this.#nodeOf(index)
    if (nodeId === null) throw new Error(this.#refused.get(index) ?? 'the server has no such node')
    const { timeoutMs } = this.#connection
    const ask = async (): Promise<void> => {
      const shape = await readNodeShape(line.session, nodeId)
      const refused = shapeRefusal(shape, isScaled(tag))
      if (refused !== null) throw new Error(refused)
      const variant = encodeValue(unscaleValue(tag, value), shape.dataType)
      const status = await line.session.write({
        nodeId,
        attributeId: AttributeIds.Value,
        value: { value: variant },
      })
      if (status.isNotGood()) throw new Error(statusReason(status))
    }
    try {
      await within(timeoutMs, ask())
    } catch (error) {
      if (/no answer in time|timeout/i.test(errorReason(error)))
        throw new Error('the controller did not answer')
      throw error
    }
  }

  troubles(): readonly TagTrouble[] {
    return [...this.#refused].map(([index, reason]) => ({ index, reason }))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#tell = () => undefined
    this.#cancelPause()
    this.#endLine('closed')
    await this.#running
  }

  get #isUp(): boolean {
    return this.#line !== null && this.#subscription !== null && !this.#isBroken
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      let reason: string
      try {
        const line = await openLine(this.#connection, this.#deps)
        reason = await this.#work(line).catch(failureReason)
        await line.close()
      } catch (error) {
        reason = failureReason(error)
      }
      if (this.#isClosed) break
      this.#away(reason)
      this.#firstValuesCame()
      await this.#pause(this.#presence.nextPauseMs())
    }
    this.#firstValuesCame()
  }

  /** Follows the nodes until the line ends; resolves to the reason. */
  async #work(line: Line): Promise<string> {
    const { client, session } = line
    // Promise.withResolvers came only with Node 22.
    let end: (reason: string) => void = () => undefined
    const ended = new Promise<string>((resolve) => {
      end = resolve
    })
    this.#endLine = end
    if (this.#isClosed) return 'closed'
    const sessionId = session.sessionId.toString()
    let stopRepair = (): void => undefined
    client.on('start_reconnection', () => {
      if (this.#line !== line || this.#isBroken) return
      this.#isBroken = true
      this.#subscription?.pause()
      this.#away('the connection broke')
      stopRepair = this.#deps.clock.after(repairMs, () => end('the connection broke'))
    })
    session.on('session_restored', () => {
      stopRepair()
      // A new session of the same client: its subscription and the numbers of namespaces may be others.
      if (session.sessionId.toString() !== sessionId) end('the server was restarted')
      else void this.#takeUp().catch(() => end('the subscription did not come back'))
    })
    session.on('session_closed', () => end('the server closed the session'))
    session.on('session_repaired_failed', () => end('the server was restarted'))
    let stopRetry = (): void => undefined
    try {
      this.#subscription = await Promise.race([this.#follow(line, end), ended]).then((made) =>
        typeof made === 'string' ? null : made,
      )
      if (this.#subscription === null) return await ended
      this.#line = line
      this.#presence.back()
      stopRetry = this.#retryRefused(line, this.#subscription)
      await this.#learn(line)
      return await ended
    } finally {
      stopRepair()
      stopRetry()
      this.#subscription?.stop()
      this.#subscription = null
      this.#line = null
      this.#isBroken = false
      this.#latest.length = 0
    }
  }

  async #follow(line: Line, end: (reason: string) => void): Promise<OpcUaSubscription> {
    const { pollIntervalMs, timeoutMs, tags } = this.#connection
    const subscription = await OpcUaSubscription.create({
      session: line.session,
      publishingIntervalMs: pollIntervalMs,
      timeoutMs,
      clock: this.#deps.clock,
      onValues: (told, serverTime) => this.#take(told, serverTime),
      onLost: end,
    })
    await this.#followNodes(line, subscription, [...tags.keys()])
    return subscription
  }

  async #followNodes(line: Line, subscription: OpcUaSubscription, indexes: readonly number[]): Promise<void> {
    const { tags, samplingIntervalMs } = this.#connection
    const reasons = new Map<number, string>()
    const nodes: FollowedNode[] = []
    for (const index of indexes) {
      const tag = tags[index] as OpcUaTag
      const nodeId = resolveNode(tag.nodeId, line.namespaces)
      if (nodeId === null) reasons.set(index, `the server has no namespace ${tag.nodeId.namespace}`)
      else {
        const deadband = isNumber(this.#tags.typeOf(index)) ? tag.deadband / Math.abs(tag.factor) : 0
        nodes.push({
          index,
          nodeId,
          samplingIntervalMs: tag.samplingIntervalMs ?? samplingIntervalMs,
          deadband,
        })
      }
    }
    for (const [index, status] of await subscription.follow(nodes)) reasons.set(index, statusReason(status))
    for (const index of indexes) if (!reasons.has(index)) this.#refused.delete(index)
    this.#refuse(reasons)
  }

  /** Logs each reason once. */
  #refuse(reasons: ReadonlyMap<number, string>): void {
    const changed = [...reasons].filter(([index, reason]) => this.#refused.get(index) !== reason)
    for (const [index, reason] of changed) this.#refused.set(index, reason)
    for (const [index, reason] of changed.slice(0, refusedLinesMax)) {
      const tag = this.#connection.tags[index] as OpcUaTag
      const fields = { tag: tag.name, node: formatNodeAddress(tag.nodeId), reason }
      this.#deps.log('warn', 'opcua.nodeRefused', { ...this.#about, ...fields })
    }
    const more = changed.length - refusedLinesMax
    if (more > 0) this.#deps.log('warn', 'opcua.nodesRefused', { ...this.#about, more })
  }

  #retryRefused(line: Line, subscription: OpcUaSubscription): () => void {
    let cancel = (): void => undefined
    const next = (): void => {
      cancel = this.#deps.clock.after(refusedRetryMs, () => {
        const gone = [...this.#connection.tags.keys()].filter((index) => !subscription.isFollowing(index))
        const work = gone.length === 0 || this.#isBroken ? null : this.#followNodes(line, subscription, gone)
        void Promise.resolve(work)
          .catch(() => undefined)
          .then(() => {
            if (this.#line === line) next()
          })
      })
    }
    next()
    return () => cancel()
  }

  /** Reads the nodes' properties; if a server does not report them, its tags keep theirs. */
  async #learn({ session, namespaces }: Line): Promise<void> {
    const asked = this.#connection.tags.flatMap(({ nodeId }, index) => {
      const node = this.#refused.has(index) ? null : resolveNode(nodeId, namespaces)
      return node === null ? [] : [{ index, node }]
    })
    try {
      const facts = await readNodeFacts(
        session,
        asked.map(({ node }) => node),
      )
      facts.forEach((fact, place) => {
        const { index } = asked[place] ?? {}
        if (index !== undefined && this.#tags.learnFacts(index, fact)) this.#isChanged = true
      })
    } catch (error) {
      this.#deps.log('info', 'opcua.factsReadFailed', { ...this.#about, reason: failureReason(error) })
    }
    const { clock } = this.#deps
    const untilMs = clock.monotonic() + firstValuesMs
    while (this.#subscription?.isComplete === false && clock.monotonic() < untilMs) await this.#pause(20)
    this.#reportTags()
    this.#firstValuesCame()
  }

  /** A tag has another type, unit or range: kept, and told to the cloud. */
  #reportTags(): void {
    if (!this.#isChanged || this.#isClosed) return
    this.#isChanged = false
    try {
      this.#tags.keep()
    } catch (error) {
      this.#deps.log('warn', 'opcua.nodesSaveFailed', { ...this.#about, reason: errorReason(error) })
    }
    this.#deps.onTagsChanged?.()
  }

  async #takeUp(): Promise<void> {
    await this.#subscription?.resume()
    this.#isBroken = false
    this.#presence.back()
    this.#tell(this.#standing())
  }

  #take(told: readonly Told[], serverTime: Date | null): void {
    this.#times.noteServerTime(serverTime)
    const readings = told.map((one) => {
      const reading = this.#readingOf(one)
      this.#latest[one.index] = standing(reading)
      return reading
    })
    // Followed again when it returns: the current subscription belongs to the removed node.
    const gone = told.filter(({ value }) => isNodeGone(value.statusCode)).map(({ index }) => index)
    void this.#subscription?.leave(gone).catch(() => undefined)
    // The cloud has to know a type before its values.
    this.#reportTags()
    if (readings.length > 0) this.#tell(readings)
  }

  #readingOf({ index, value, isFirst }: Told): Reading {
    const tag = this.#connection.tags[index] as OpcUaTag
    const { statusCode } = value
    const quality = qualityOf(statusCode)
    if (quality === Quality.bad) return this.#refusedReading(index, statusReason(statusCode), value, isFirst)
    const decoded = decodeValue(value, this.#tags.typeOf(index), isScaled(tag))
    if ('refused' in decoded) return this.#refusedReading(index, decoded.refused, value, isFirst)
    this.#refused.delete(index)
    const type = tagTypeFor(decoded.dataType)
    if (type !== null && this.#tags.learnType(index, type)) this.#isChanged = true
    const { at, isUncertain } = this.#times.judge(value, isFirst)
    return {
      index,
      value: scaleValue(tag, decoded.value),
      quality: isUncertain ? Quality.uncertain : quality,
      ...(at === undefined ? {} : { at }),
    }
  }

  #refusedReading(index: number, reason: string, value: DataValue, isFirst: boolean): Reading {
    this.#refuse(new Map([[index, reason]]))
    const { at } = this.#times.judge(value, isFirst)
    return { ...badReading(index), ...(at === undefined ? {} : { at }) }
  }

  /** The newest values, of this moment. */
  #standing(): Reading[] {
    return this.#connection.tags.map((_, index) => this.#latest[index] ?? badReading(index))
  }

  #nodeOf(index: number) {
    const tag = this.#connection.tags[index]
    return tag === undefined || this.#line === null ? null : resolveNode(tag.nodeId, this.#line.namespaces)
  }

  #away(reason: string): void {
    if (!this.#presence.isAway) this.#tell(allBad(this.#connection.tags.length))
    this.#presence.away(reason)
  }

  #pause(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(ms, resolve)
      this.#cancelPause = () => {
        cancel()
        resolve()
      }
    })
  }
}

function standing({ at: _, ...reading }: Reading): Reading {
  return reading
}

function isNumber(type: string | null): boolean {
  return type !== null && type !== 'bool' && type !== 'string'
}
