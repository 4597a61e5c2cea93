import type { Alarm, Machine, WriteRefusal, WriteResult, WriteSource } from '@busbar/agent/machine.ts'
import type { Sample, Tag, TagValue } from '@busbar/agent/tag.ts'
import { Quality } from '@busbar/link'
import { processStepMs, type WriteVerdict } from './machine-model.ts'
import type { MachineNode } from './machine-node.ts'
import type { MachineProfile, TagValue as ModelValue, TagSpec } from './profiles/profile.ts'

const refusals: Record<Exclude<WriteVerdict, 'written'>, WriteRefusal> = {
  unknownTag: 'unknownTag',
  readOnly: 'readOnly',
  wrongType: 'type',
  outOfRange: 'range',
}

/** A running process as the agent's page sees a machine. */
export class SimulatedMachine implements Machine {
  readonly code: string
  readonly tags: readonly Tag[]
  readonly #node: MachineNode
  readonly #profile: MachineProfile
  readonly #listeners = new Set<(samples: readonly Sample[]) => void>()
  readonly #timer: NodeJS.Timeout
  readonly #alarmSince = new Map<string, number>()
  #shown: readonly ModelValue[]

  constructor(node: MachineNode, profile: MachineProfile) {
    this.code = node.code
    this.tags = profile.tags.map(tagOf)
    this.#node = node
    this.#profile = profile
    this.#shown = node.model.values()
    this.#timer = setInterval(() => this.#look(), processStepMs / 2)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  current(): Sample[] {
    return this.#samples(this.#node.model.values(), () => true)
  }

  alarms(): Alarm[] {
    const standing = this.#node.model.alarms()
    return this.#profile.alarms.map(({ id, level, text }) => ({
      // It stands for itself: no variable shows it.
      tag: -1,
      id,
      level,
      text,
      raised: standing.has(id),
      since: this.#alarmSince.get(id) ?? null,
    }))
  }

  subscribe(listener: (samples: readonly Sample[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async write(
    tag: number,
    value: TagValue,
    source: WriteSource,
  ): Promise<WriteResult | { refused: WriteRefusal }> {
    const spec = this.#profile.tags[tag]
    if (spec === undefined) return { refused: 'unknownTag' }
    const visit = source.kind === 'page' ? (source.visit ?? '') : null
    const wished = typeof value === 'bigint' ? Number(value) : value
    const { verdict, kept } = this.#node.write(spec.name, wished, visit)
    if (verdict !== 'written') return { refused: refusals[verdict] }
    this.#look()
    return { state: 'confirmed', kept: agentValue(spec, kept), error: '' }
  }

  /** Publishes the values that changed since the last step. */
  #look(): void {
    const values = this.#node.model.values()
    const before = this.#shown
    this.#shown = values
    const alarmMoved = this.#noteAlarms()
    const moved = this.#samples(values, (tag) => alarmMoved || values[tag] !== before[tag])
    if (moved.length > 0) for (const listener of this.#listeners) listener(moved)
  }

  #noteAlarms(): boolean {
    const standing = this.#node.model.alarms()
    const now = Date.now()
    let moved = false
    for (const { id } of this.#profile.alarms) {
      if (standing.has(id) === this.#alarmSince.has(id)) continue
      moved = true
      if (standing.has(id)) this.#alarmSince.set(id, now)
      else this.#alarmSince.delete(id)
    }
    return moved
  }

  #samples(values: readonly ModelValue[], wanted: (tag: number) => boolean): Sample[] {
    const at = Date.now()
    return values.flatMap((value, tag) => {
      const spec = this.#profile.tags[tag]
      if (spec === undefined || !wanted(tag)) return []
      return [{ tag, at, value: agentValue(spec, value), quality: Quality.good }]
    })
  }
}

/** The agent has whole numbers of 64 bits as bigint. */
function agentValue(spec: TagSpec, value: ModelValue): TagValue {
  return spec.type === 'int64' && typeof value === 'number' ? BigInt(value) : value
}

function tagOf(spec: TagSpec): Tag {
  return {
    group: spec.group,
    name: spec.name,
    type: spec.type,
    displayName: spec.displayName,
    ...(spec.unit === undefined ? {} : { unit: spec.unit }),
    ...(spec.scale === undefined ? {} : { scale: spec.scale }),
    ...(spec.min === undefined ? {} : { min: spec.min }),
    ...(spec.max === undefined ? {} : { max: spec.max }),
    readOnly: spec.writable !== true,
    keyTag: spec.keyTag === true,
    factor: 1,
    offset: 0,
    deadband: 0,
    heartbeatMs: 60_000,
  }
}
