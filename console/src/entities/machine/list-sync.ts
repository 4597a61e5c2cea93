import { machines } from '@busbar/contract'
import type { Query, QueryClient } from '@tanstack/react-query'
import type { Emitter } from '../../shared/api/emitter.ts'
import type { MachineStateEvent, PlaceEvent, PushMessages } from '../../shared/api/push-messages.ts'
import type { Machine, MachineDetail } from './machine.ts'
import { type MachineList, placeKey } from './machine-queries.ts'

/** The machine with the state of an event; undefined if the cached row already has that state. */
export function applyStateEvent(machine: Machine, event: MachineStateEvent): Machine | undefined {
  const worstAlarm = machines.alarmLevels.find((level) => level === event.worstAlarm) ?? null
  // An ordinary user sees whether a machine is online, but not its alarms.
  const maySeeAlarms = machine.level > machines.limitAuthority.ordinary
  const openAlarms = maySeeAlarms ? event.openAlarms : machine.openAlarms
  const worst = maySeeAlarms ? worstAlarm : machine.worstAlarm
  if (
    machine.online === event.online &&
    machine.cloudService === event.cloudService &&
    machine.openAlarms === openAlarms &&
    machine.worstAlarm === worst
  ) {
    return undefined
  }
  return {
    ...machine,
    online: event.online,
    cloudService: event.cloudService,
    openAlarms,
    worstAlarm: worst,
    lastSeen: Math.max(machine.lastSeen ?? 0, event.at),
  }
}

/** The list after several events, the same object if it did not change; and whether it must be reloaded. */
export function applyStateEvents(
  list: readonly Machine[],
  events: ReadonlyMap<number, MachineStateEvent>,
): { list: readonly Machine[]; stale: boolean; hasOtherRight: boolean } {
  let found = 0
  let hasOtherRight = false
  const next = list.map((machine) => {
    const event = events.get(machine.id)
    if (!event) return machine
    found++
    hasOtherRight ||= isOtherRight(machine, event)
    return applyStateEvent(machine, event) ?? machine
  })
  // A machine came into the list elsewhere, or another right shows other fields of it.
  const stale = hasOtherRight || found < events.size
  return { list: next.some((machine, place) => machine !== list[place]) ? next : list, stale, hasOtherRight }
}

/** The list with machines at their new places, the same object if none of them moved in it. */
export function applyPlaces(
  list: readonly Machine[],
  places: ReadonlyMap<number, PlaceEvent>,
): readonly Machine[] {
  let isMoved = false
  const next = list.map((machine) => {
    const place = places.get(machine.id)
    if (!place || isAt(machine, place)) return machine
    isMoved = true
    const { lat, lng, accuracy, source, placedAt } = place
    return { ...machine, lat, lng, accuracy, source, placedAt }
  })
  return isMoved ? next : list
}

const isAt = (machine: Machine, place: PlaceEvent): boolean =>
  machine.lat === place.lat &&
  machine.lng === place.lng &&
  machine.accuracy === place.accuracy &&
  machine.source === place.source &&
  machine.placedAt === place.placedAt

/** Whether the caller's role on the machine differs from the row's. */
function isOtherRight(machine: Machine, event: MachineStateEvent): boolean {
  return (
    event.limitAuthority !== machine.level ||
    event.cloudService !== machine.cloudService ||
    event.role !== machine.role ||
    event.readOnly !== machine.readOnly
  )
}

/** The personal list, or an enterprise's. */
function isDeviceList({ queryKey: [subject, second, third] }: Query): boolean {
  return subject === 'machines' ? second === 'list' : subject === 'enterprise' && third === 'devices'
}

/** Events are gathered this long: a power cut takes a whole hall off, and the list is drawn once, not 500 times. */
const gatherMs = 200

/** Keeps the cached lists and details as the push says. Returns the function that ends it. */
export function followLists(client: QueryClient, push: Pick<Emitter<PushMessages>, 'on'>): () => void {
  let events = new Map<number, MachineStateEvent>()
  let places = new Map<number, PlaceEvent>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    timer = undefined
    const [gathered, moved] = [events, places]
    events = new Map()
    places = new Map()
    for (const [key, data] of client.getQueriesData<MachineList>({ predicate: isDeviceList })) {
      if (!data) continue
      const { list: known, stale, hasOtherRight } = applyStateEvents(data.list, gathered)
      const list = applyPlaces(known, moved)
      if (list !== data.list) client.setQueryData<MachineList>(key, { ...data, list })
      // Events concern the person's own list: an enterprise's list ignores machines that it does not contain.
      if (hasOtherRight || (stale && key[0] === 'machines')) void client.invalidateQueries({ queryKey: key })
    }
    // A list that was reloaded in the meantime has the event's state already; the open pane may not.
    for (const event of gathered.values()) refreshDetail(client, event)
    for (const machineId of moved.keys())
      void client.invalidateQueries({ queryKey: [...placeKey(machineId), 'now'] })
  }

  const leaves = [
    push.on('machineState', (event) => {
      events.set(event.machineId, event)
      timer ??= setTimeout(flush, gatherMs)
    }),
    push.on('place', (event) => {
      places.set(event.machineId, event)
      timer ??= setTimeout(flush, gatherMs)
    }),
  ]
  return () => {
    for (const leave of leaves) leave()
    clearTimeout(timer)
  }
}

/** An open pane shows immediately whether the machine is online; its alarms and their texts are reloaded. */
function refreshDetail(client: QueryClient, { machineId, online }: MachineStateEvent): void {
  const queryKey = ['machines', machineId, 'detail']
  client.setQueriesData<MachineDetail>({ queryKey }, (detail) => detail && { ...detail, online })
  void client.invalidateQueries({ queryKey })
}
