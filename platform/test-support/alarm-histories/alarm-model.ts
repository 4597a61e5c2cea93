import type { AlarmEvent } from '../../src/modules/alarms/index.ts'

/** An alarm of a machine or of a rule. */
export interface ModelAlarm {
  readonly machineId: number
  readonly key: string
  readonly ruleId: number | null
  readonly raisedAt: number
  level: AlarmEvent['level']
  isOpen: boolean
  count: number
  isConfirmed: boolean
}

/** A shelving, or alarms out of service: until infinity. */
export interface ModelShelve {
  readonly id: number
  readonly machineId: number
  readonly scope: 'alarm' | 'rule' | 'machine'
  readonly key?: string
  readonly ruleId?: number
  readonly until: number
  readonly at: number
}

/** An event of the journal. */
export interface ModelEvent {
  readonly machineId: number
  kind: string
  at: number
  raisings: number
}

/** The expected alarms of machines, with their shelvings and their journal. */
export class AlarmModel {
  alarms: ModelAlarm[] = []
  shelves: ModelShelve[] = []
  events: ModelEvent[] = []

  apply(batch: readonly AlarmEvent[]): void {
    // Several raisings of one alarm in a batch are one event.
    const merged = new Map<ModelAlarm, ModelEvent>()
    for (const { machineId, key, ruleId = null, level, state, isRepeat, at } of batch) {
      const open = this.alarms.find(
        (one) => one.isOpen && one.machineId === machineId && one.key === key && one.ruleId === ruleId,
      )
      if (state === 'cleared') {
        if (!open) continue
        open.isOpen = false
        merged.delete(open)
        this.events.push({ machineId, kind: 'cleared', at, raisings: 0 })
      } else if (!open) {
        const raised = { machineId, key, ruleId, raisedAt: at, level }
        this.alarms.push({ ...raised, isOpen: true, count: 1, isConfirmed: false })
        this.events.push({ machineId, kind: 'raised', at, raisings: 1 })
      } else if (!isRepeat || level !== open.level) {
        const event = merged.get(open) ?? { machineId, kind: 'changed', at, raisings: 0 }
        if (!merged.has(open)) this.events.push(event)
        merged.set(open, event)
        open.level = level
        event.at = at
        if (isRepeat) continue
        open.count++
        event.kind = 'counted'
        event.raisings++
      }
    }
  }

  /** Another shelving of the same alarms replaces the one there was. */
  shelve(wish: ModelShelve): void {
    const isForEver = ({ until }: ModelShelve) => until === Number.POSITIVE_INFINITY
    const isSame = (one: ModelShelve) =>
      one.machineId === wish.machineId &&
      one.scope === wish.scope &&
      one.key === wish.key &&
      one.ruleId === wish.ruleId &&
      isForEver(one) === isForEver(wish)
    this.shelves = [...this.shelves.filter((one) => !isSame(one)), wish]
    const kind = isForEver(wish) ? 'outOfService' : 'shelved'
    this.events.push({ machineId: wish.machineId, kind, at: wish.at, raisings: 0 })
  }

  endShelve(one: ModelShelve, at: number): void {
    this.shelves = this.shelves.filter((each) => each !== one)
    const kind = one.until === Number.POSITIVE_INFINITY ? 'inService' : 'unshelved'
    this.events.push({ machineId: one.machineId, kind, at, raisings: 0 })
  }

  endDue(now: number): void {
    for (const one of this.shelves.filter(({ until }) => until <= now)) this.endShelve(one, one.until)
  }

  /** The machine begins anew. */
  changeOwner(machineId: number): void {
    const isOther = (one: { machineId: number }) => one.machineId !== machineId
    this.alarms = this.alarms.filter(isOther)
    this.shelves = this.shelves.filter(isOther)
    this.events = this.events.filter(isOther)
  }

  stageOf(alarm: ModelAlarm, now: number): string {
    const covering = this.shelves.filter(
      (one) =>
        one.machineId === alarm.machineId &&
        one.until > now &&
        (one.scope === 'machine' ||
          (one.scope === 'rule'
            ? one.ruleId === alarm.ruleId
            : one.key === alarm.key && alarm.ruleId === null)),
    )
    const isOver = !alarm.isOpen && alarm.isConfirmed
    if (!isOver && covering.some(({ until }) => until === Number.POSITIVE_INFINITY)) return 'outOfService'
    if (!isOver && covering.length > 0) return 'shelved'
    if (alarm.isOpen) return alarm.isConfirmed ? 'activeAcknowledged' : 'activeUnacknowledged'
    return alarm.isConfirmed ? 'normal' : 'clearedUnacknowledged'
  }
}
