import { gatewayLimits } from '../limits.ts'
import type { KeptFilter } from '../projects/project-door.ts'
import { PacketFault, protocolError } from './packet-fault.ts'
import type { ProtocolVersion, Subscribe, Subscription } from './packet-parser.ts'
import { type ReasonCode, reason, subackFailure } from './reasons.ts'
import type { TopicRights } from './topic-rights.ts'
import { isTopicFilter, matchesTopic } from './topic-syntax.ts'

/** The result of one filter of a SUBSCRIBE. */
export interface SubscriptionResult {
  readonly filter: string
  /** For the SUBACK: the QoS granted, or why not (MQTT 3.9.3). */
  readonly code: number
  readonly isRefused: boolean
  /** Whether the retained message has to be sent now. */
  readonly wantsRetained: boolean
}

const sharePrefix = '$share/'
const qosGrantedMax = 1

/** The subscriptions of one connection: only to the topics that it may read. */
export class Subscriptions {
  readonly #topics: TopicRights
  readonly #version: ProtocolVersion
  /** The QoS granted, by filter; made with the first one. */
  #filters: Map<string, number> | undefined

  constructor(topics: TopicRights, version: ProtocolVersion) {
    this.#topics = topics
    this.#version = version
  }

  /** Takes a SUBSCRIBE in, each filter for itself, in order (MQTT 3.8.4). */
  add({ subscriptions, properties }: Subscribe): SubscriptionResult[] {
    if (this.#version === 5) {
      checkAvailable(subscriptions)
      if (properties.subscriptionIdentifier !== undefined) {
        const { subscriptionIdentifiersNotSupported } = reason
        throw new PacketFault(
          subscriptionIdentifiersNotSupported,
          'a subscription identifier, though none is',
        )
      }
    }
    return subscriptions.map((subscription) => this.#addOne(subscription))
  }

  get isEmpty(): boolean {
    return !this.#filters || this.#filters.size === 0
  }

  /** All of them, with the QoS granted. */
  list(): readonly KeptFilter[] {
    return [...(this.#filters ?? [])].map(([filter, qos]) => ({ filter, qos }))
  }

  /** Takes over the filters of a session that goes on. */
  restore(kept: readonly KeptFilter[]): void {
    this.#filters = new Map(kept.map(({ filter, qos }) => [filter, qos]))
  }

  /** False for an unknown subscription. */
  remove(filter: string): boolean {
    return this.#filters?.delete(filter) === true
  }

  matches(topic: string): boolean {
    for (const filter of this.#filters?.keys() ?? []) if (matchesTopic(filter, topic)) return true
    return false
  }

  /** The highest QoS granted to a filter that matches (MQTT-3.3.4-2, of 3.1.1 MQTT-3.3.5-1); undefined without one. */
  qosOf(topic: string): number | undefined {
    let highest: number | undefined
    for (const [filter, qos] of this.#filters ?? []) {
      if (matchesTopic(filter, topic)) highest = Math.max(highest ?? 0, qos)
    }
    return highest
  }

  #addOne({ filter, qos, retainHandling }: Subscription): SubscriptionResult {
    const refusal = this.#refusalOf(filter)
    if (refusal !== undefined) {
      const code = this.#version === 5 ? refusal : subackFailure
      return { filter, code, isRefused: true, wantsRetained: false }
    }
    // Retain handling 2 sends no retained messages, 1 only with a new subscription (MQTT-3.3.1-10, MQTT-3.3.1-11).
    const wantsRetained = retainHandling !== 2 && !(retainHandling === 1 && this.#filters?.has(filter))
    const granted = Math.min(qos, qosGrantedMax)
    this.#filters ??= new Map()
    this.#filters.set(filter, granted)
    return { filter, code: granted, isRefused: false, wantsRetained }
  }

  #refusalOf(filter: string): ReasonCode | undefined {
    if (!isTopicFilter(filter)) return reason.topicFilterInvalid
    if (!this.#topics.maySubscribe(filter)) return reason.notAuthorized
    const known = this.#filters
    const isFull = known && known.size >= gatewayLimits.filtersPerConnectionMax && !known.has(filter)
    return isFull ? reason.quotaExceeded : undefined
  }
}

/** A client must not use features that CONNACK declared unavailable (MQTT 5.0, 3.2.2.3.13). */
function checkAvailable(subscriptions: readonly Subscription[]): void {
  for (const { filter, isNoLocal } of subscriptions) {
    if (!filter.startsWith(sharePrefix)) continue
    if (isNoLocal) throw protocolError('a shared subscription that is not local')
    throw new PacketFault(reason.sharedSubscriptionsNotSupported, 'a shared subscription')
  }
}
