import { formatMetricName } from '@busbar/link'
import { isMap, isSeq } from 'yaml'
import type { DriverConnection, DriverKind, DriverKinds } from '../drivers/driver-kind.ts'
import { kindNames } from '../drivers/kinds.ts'
import { configDefaults, configLimits } from './config.ts'
import type { ConfigText } from './config-text.ts'
import type { ConfigProblem, Fields } from './fields.ts'

/** The words that stand for drivers in a text that is not checked yet. */
export function namedDrivers({ root }: ConfigText): string[] {
  const connections = isMap(root) ? root.get('connections') : null
  const entries = isSeq(connections) ? connections.items : []
  return entries.map((entry) => (isMap(entry) ? String(entry.get('driver')) : ''))
}

/** The connections, each as its kind of driver reads it. */
export function parseConnections(root: Fields, kinds: DriverKinds): DriverConnection[] {
  const entries = root.list('connections', configLimits.connectionsMax)
  if (!root.has('connections')) root.problem('connections', 'is missing: which controllers to read')
  return entries.flatMap((fields, index) => {
    if (!fields.has('driver')) fields.problem('driver', `is missing; possible are ${kindNames.join(', ')}`)
    const driver = fields.oneOf('driver', kindNames)
    const kind = driver === undefined ? undefined : kinds.get(driver)
    // An unknown driver's fields cannot be checked.
    if (driver === undefined || kind === undefined) {
      if (driver !== undefined) fields.problem('driver', `is "${driver}", which was not loaded`)
      return []
    }
    const name = fields.text('name', configLimits.nameCharactersMax) ?? `${driver} ${index + 1}`
    if ('path' in kind) {
      fields.problem(
        'driver',
        `is "${driver}", whose file ${kind.reason}: ${kind.path} (needed by "${name}")`,
      )
      return []
    }
    return parseConnection(fields, kind, name)
  })
}

function parseConnection(fields: Fields, kind: DriverKind, name: string): DriverConnection {
  const pollIntervalMs =
    fields.integer('pollIntervalMs', configLimits.pollIntervalMsMin, configLimits.pollIntervalMsMax) ??
    configDefaults.pollIntervalMs
  const options = kind.parseConnection(fields)
  const tags = fields.list('tags', configLimits.tagsMax).map((entry) => {
    const tag = kind.parseTag(entry, options)
    entry.finish()
    return tag
  })
  if (!fields.has('tags')) fields.problem('tags', 'is missing: what to read')
  fields.finish()
  return { ...options, driver: kind.kind, name, pollIntervalMs, tags }
}

/** Checks of all connections: the number of tags, names of tags and ids of alarms used twice. */
export function checkTags(
  connections: readonly DriverConnection[],
  problems: ConfigProblem[],
  nameOf = (connectionIndex: number): string => `connections[${connectionIndex}]`,
): void {
  const places = new Map<string, string>()
  const alarmPlaces = new Map<string, string>()
  let count = 0
  connections.forEach((connection, connectionIndex) => {
    connection.tags.forEach((tag, tagIndex) => {
      count++
      if (tag.name === '') return
      const place = `${nameOf(connectionIndex)}.tags[${tagIndex}]`
      const metricName = formatMetricName(tag)
      const other = places.get(metricName)
      if (other === undefined) places.set(metricName, place)
      else
        problems.push({ path: `${place}.name`, line: null, message: `"${metricName}" is taken by ${other}` })
      if (tag.alarm === undefined) return
      const otherAlarm = alarmPlaces.get(tag.alarm.id)
      if (otherAlarm === undefined) alarmPlaces.set(tag.alarm.id, place)
      else {
        const message = `"${tag.alarm.id}" is taken by ${otherAlarm}; give it an id of its own`
        problems.push({ path: `${place}.alarm.id`, line: null, message })
      }
    })
  })
  if (count > configLimits.tagsMax) {
    const message = `have ${count} tags together, at most ${configLimits.tagsMax} are possible`
    problems.push({ path: 'connections', line: null, message })
  }
}
