import type { DataValue, NodeId, NotificationMessage, PublishResponse, StatusCode } from 'node-opcua-client'
import {
  AttributeIds,
  DataChangeFilter,
  DataChangeNotification,
  DataChangeTrigger,
  DeadbandType,
  MonitoringMode,
  PublishRequest,
  RepublishRequest,
  StatusChangeNotification,
  StatusCodes,
  TimestampsToReturn,
} from 'node-opcua-client'
import type { Clock } from '../../clock.ts'
import type { OpcUaSession } from './opcua-line.ts'

/** A message comes at least this often, even if no value changes. */
const keepAliveMs = 5_000
/** Time for which the server keeps a subscription without a connection. */
const lifetimeMs = 120_000
/** Requests that wait at the server: while one answer travels the next value finds another. */
const waitingMax = 2
const itemsPerCallMax = 500
/** Failed requests when nodes are followed: halving finds one faulty node of `itemsPerCallMax` with ten. */
const faultsMax = 24
const queueMax = 100
/** The most missed messages that are requested again after a break. */
const republishMax = 100

/** A node to follow. */
export interface FollowedNode {
  index: number
  nodeId: NodeId
  samplingIntervalMs: number
  /** In the node's own unit; 0 reports every change. */
  deadband: number
}

/** A value of a followed node. `isFirst`: told because it is followed now, not because it changed. */
export interface Told {
  index: number
  value: DataValue
  isFirst: boolean
}

export interface SubscriptionOptions {
  session: OpcUaSession
  publishingIntervalMs: number
  timeoutMs: number
  clock: Clock
  /** `serverTime`: the server's clock at its answer; null for a message that was sent before. */
  onValues(told: Told[], serverTime: Date | null): void
  /** The server ended the subscription, or it must not be used for another reason. */
  onLost(reason: string): void
}

/** One subscription, whose messages are fetched and acknowledged here. */
export class OpcUaSubscription {
  readonly #options: SubscriptionOptions
  readonly #waitingFirst = new Set<number>()
  /** The monitored items by the number of their tag. */
  readonly #items = new Map<number, { id: number; handle: number }>()
  /**
   * The tags behind the handles in messages; a tag that is followed again gets a new handle, so that old
   * messages are ignored.
   */
  readonly #handles = new Map<number, number>()
  #lastHandle = 0
  #id = 0
  #silentMs = 0
  #heardAtMs = 0
  #waiting = 0
  #waitingMax = waitingMax
  #nextSequence = 0
  #toAcknowledge: number[] = []
  #isStopped = false
  #isPaused = false

  private constructor(options: SubscriptionOptions) {
    this.#options = options
  }

  static async create(options: SubscriptionOptions): Promise<OpcUaSubscription> {
    const subscription = new OpcUaSubscription(options)
    await subscription.#create()
    return subscription
  }

  async #create(): Promise<void> {
    const { session, publishingIntervalMs, timeoutMs } = this.#options
    const keepAliveCount = Math.max(1, Math.round(keepAliveMs / publishingIntervalMs))
    const answer = await session.createSubscription({
      requestedPublishingInterval: publishingIntervalMs,
      requestedMaxKeepAliveCount: keepAliveCount,
      requestedLifetimeCount: Math.max(3 * keepAliveCount, Math.round(lifetimeMs / publishingIntervalMs)),
      maxNotificationsPerPublish: 0,
      publishingEnabled: true,
      priority: 0,
    })
    this.#id = answer.subscriptionId
    const toldAtLeastMs = answer.revisedPublishingInterval * Math.max(1, answer.revisedMaxKeepAliveCount)
    this.#silentMs = 2 * toldAtLeastMs + timeoutMs
    this.#heardAtMs = this.#options.clock.monotonic()
    this.#request()
  }

  /** Follows nodes; returns the refusals of the server. */
  async follow(nodes: readonly FollowedNode[]): Promise<Map<number, StatusCode>> {
    const refused = new Map<number, StatusCode>()
    for (let from = 0; from < nodes.length; from += itemsPerCallMax) {
      const part = nodes.slice(from, from + itemsPerCallMax)
      const plain: FollowedNode[] = []
      for (const [node, status] of await this.#createItems(part)) {
        if (isFilterRefused(status) && node.deadband > 0) plain.push({ ...node, deadband: 0 })
        else refused.set(node.index, status)
      }
      // The agent applies the deadband again: a server without one only sends more.
      for (const [node, status] of await this.#createItems(plain)) refused.set(node.index, status)
    }
    return refused
  }

  /**
   * Halves a request that fails until the faulty node is alone (rules/drivers.md: charge of a fault). Rejects if all of it
   * fails, or more often than one faulty node explains.
   */
  async #createItems(
    nodes: readonly FollowedNode[],
    budget = { faults: faultsMax },
  ): Promise<[FollowedNode, StatusCode][]> {
    try {
      return await this.#createTogether(nodes)
    } catch (error) {
      if (nodes.length === 1 || this.#isStopped || --budget.faults < 0) throw error
      const middle = nodes.length >> 1
      const refused: [FollowedNode, StatusCode][] = []
      let failed = 0
      for (const half of [nodes.slice(0, middle), nodes.slice(middle)]) {
        try {
          refused.push(...(await this.#createItems(half, budget)))
        } catch {
          failed++
          for (const node of half) refused.push([node, StatusCodes.BadUnexpectedError])
        }
      }
      if (failed === 2) throw error
      return refused
    }
  }

  async #createTogether(nodes: readonly FollowedNode[]): Promise<[FollowedNode, StatusCode][]> {
    if (nodes.length === 0) return []
    const { session, publishingIntervalMs } = this.#options
    // A first value may come before the answer.
    const handles = nodes.map(({ index }) => {
      this.#waitingFirst.add(index)
      this.#handles.set(++this.#lastHandle, index)
      return this.#lastHandle
    })
    const forget = (index: number, handle: number): void => {
      this.#handles.delete(handle)
      this.#waitingFirst.delete(index)
    }
    const request = {
      subscriptionId: this.#id,
      timestampsToReturn: TimestampsToReturn.Both,
      itemsToCreate: nodes.map(({ nodeId, samplingIntervalMs, deadband }, place) => ({
        itemToMonitor: { nodeId, attributeId: AttributeIds.Value },
        monitoringMode: MonitoringMode.Reporting,
        requestedParameters: {
          clientHandle: handles[place] ?? 0,
          samplingInterval: samplingIntervalMs,
          queueSize: Math.min(
            queueMax,
            Math.ceil(publishingIntervalMs / Math.max(1, samplingIntervalMs)) + 1,
          ),
          discardOldest: true,
          filter: deadband > 0 ? deadbandFilter(deadband) : null,
        },
      })),
    }
    const answer = await session.createMonitoredItems(request).catch((error: unknown) => {
      nodes.forEach(({ index }, place) => {
        forget(index, handles[place] ?? 0)
      })
      throw error
    })
    const refused: [FollowedNode, StatusCode][] = []
    nodes.forEach((node, place) => {
      const result = answer.results?.[place]
      const handle = handles[place] ?? 0
      if (result?.statusCode.isGood()) {
        this.#items.set(node.index, { id: result.monitoredItemId, handle })
        return
      }
      forget(node.index, handle)
      refused.push([node, result?.statusCode ?? StatusCodes.BadUnexpectedError])
    })
    return refused
  }

  /** Stops following nodes that their server reports as removed. */
  async leave(indexes: readonly number[]): Promise<void> {
    const monitoredItemIds: number[] = []
    for (const index of indexes) {
      const item = this.#items.get(index)
      if (item === undefined) continue
      monitoredItemIds.push(item.id)
      this.#items.delete(index)
      this.#handles.delete(item.handle)
      this.#waitingFirst.delete(index)
    }
    if (monitoredItemIds.length === 0) return
    await this.#options.session.deleteMonitoredItems({ subscriptionId: this.#id, monitoredItemIds })
  }

  isFollowing(index: number): boolean {
    return this.#items.has(index)
  }

  /** Whether every followed node has sent its first value. */
  get isComplete(): boolean {
    return this.#waitingFirst.size === 0
  }

  /** Whether nothing came for longer than the server promised. */
  get isSilent(): boolean {
    return !this.#isPaused && this.#options.clock.monotonic() - this.#heardAtMs > this.#silentMs
  }

  /** Stops requests while the connection is broken. */
  pause(): void {
    this.#isPaused = true
  }

  /** Continues after the session has been restored: first with the messages that were missed. */
  async resume(): Promise<void> {
    for (let count = 0; count < republishMax && this.#nextSequence > 0; count++) {
      const message = await this.#republish(this.#nextSequence)
      if (message === null) break
      this.#take(message, null)
    }
    this.#isPaused = false
    this.#heardAtMs = this.#options.clock.monotonic()
    this.#request()
  }

  stop(): void {
    this.#isStopped = true
  }

  #request(): void {
    while (!this.#isStopped && !this.#isPaused && this.#waiting < this.#waitingMax) {
      this.#waiting++
      const subscriptionAcknowledgements = this.#toAcknowledge.map((sequenceNumber) => ({
        subscriptionId: this.#id,
        sequenceNumber,
      }))
      this.#toAcknowledge = []
      const request = new PublishRequest({
        requestHeader: { timeoutHint: waitingMax * this.#silentMs },
        subscriptionAcknowledgements,
      })
      this.#options.session.publish(request, (error, response) => {
        this.#waiting--
        if (this.#isStopped) return
        if (error || !response) this.#failed(error?.message ?? 'no answer')
        else void this.#answered(response)
      })
    }
  }

  #failed(message: string): void {
    if (/BadTooManyPublishRequests/.test(message)) {
      this.#waitingMax = Math.max(1, this.#waitingMax - 1)
    } else if (/BadTimeout|timeout/i.test(message)) {
      // The next request replaces it; a silent server is noticed by the timeout.
      this.#request()
    } else if (/BadNoSubscription|BadSubscriptionIdInvalid|BadSession/.test(message)) {
      this.#options.onLost(message)
    }
    // Otherwise the connection is broken, which the client reports.
  }

  async #answered(response: PublishResponse): Promise<void> {
    this.#heardAtMs = this.#options.clock.monotonic()
    const message = response.notificationMessage
    if (response.subscriptionId === this.#id) {
      const { sequenceNumber } = message
      const hasData = (message.notificationData?.length ?? 0) > 0
      if (hasData && this.#nextSequence > 0 && sequenceNumber > this.#nextSequence) {
        await this.#fillGap(sequenceNumber)
      }
      this.#take(message, response.responseHeader.timestamp)
    }
    this.#request()
  }

  async #fillGap(to: number): Promise<void> {
    const from = Math.max(this.#nextSequence, to - republishMax)
    for (let sequence = from; sequence < to && !this.#isStopped; sequence++) {
      const missed = await this.#republish(sequence)
      if (missed !== null) this.#take(missed, null)
    }
  }

  /** A message that was sent and did not arrive; null if the server no longer has it. */
  #republish(retransmitSequenceNumber: number): Promise<NotificationMessage | null> {
    const request = new RepublishRequest({ subscriptionId: this.#id, retransmitSequenceNumber })
    return new Promise((resolve) => {
      this.#options.session.republish(request, (error, response) => {
        resolve(error ? null : (response?.notificationMessage ?? null))
      })
    })
  }

  #take(message: NotificationMessage, serverTime: Date | null): void {
    const data = message.notificationData ?? []
    if (data.length > 0) {
      this.#toAcknowledge.push(message.sequenceNumber)
      this.#nextSequence = Math.max(this.#nextSequence, message.sequenceNumber + 1)
    }
    const told: Told[] = []
    for (const notification of data) {
      if (notification instanceof DataChangeNotification) {
        for (const { clientHandle, value } of notification.monitoredItems ?? []) {
          const index = this.#handles.get(clientHandle)
          if (index !== undefined) told.push({ index, value, isFirst: this.#waitingFirst.delete(index) })
        }
      } else if (notification instanceof StatusChangeNotification) {
        this.#options.onLost(`the server ended the subscription (${notification.status.name})`)
      }
    }
    this.#options.onValues(told, serverTime)
  }
}

function deadbandFilter(deadbandValue: number): DataChangeFilter {
  return new DataChangeFilter({
    trigger: DataChangeTrigger.StatusValue,
    deadbandType: DeadbandType.Absolute,
    deadbandValue,
  })
}

function isFilterRefused(status: StatusCode): boolean {
  return /Filter|Deadband/.test(status.name)
}
