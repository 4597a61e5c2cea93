import type { destinations as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import type { DurableFollower } from '../../kernel/facts/follower.ts'
import type { NewRow, ProjectStreams } from '../project-stream/index.ts'
import type { Link, Links } from '../projects/index.ts'
import type { Db } from './lanes-store.ts'

const eventOf = {
  'alarm.raised': 'alarm.raised',
  'alarm.cleared': 'alarm.cleared',
  'alarm.confirmed': 'alarm.acknowledged',
  'machine.online': 'machine.online',
  'machine.offline': 'machine.offline',
} as const satisfies Readonly<Record<string, contract.ProjectEvent>>
type EventFact = Fact<keyof typeof eventOf>

/**
 * Appends events to the streams of the projects that have the machine and a destination which wants them. It may do so
 * twice when its process ends: `eventId` is the same then.
 */
export function followEvents({
  streams,
  links,
}: {
  readonly streams: Pick<ProjectStreams, 'append'>
  readonly links: Pick<Links, 'find' | 'isTrusted'>
}): DurableFollower<keyof typeof eventOf> {
  return {
    name: 'destinations.events',
    mode: 'durable',
    kinds: Object.keys(eventOf) as (keyof typeof eventOf)[],
    async follow(trx, facts) {
      const wanting = await listWanting(trx, [...new Set(facts.map(({ machineId }) => machineId))])
      if (wanting.length === 0) return
      if (!links.isTrusted()) throw new Error('The machines of projects are not known now.')
      const rows = facts.flatMap((fact) =>
        wanting.flatMap(({ projectId, machineId, events }) => {
          const link = links.find(projectId, machineId)
          const isWanted = machineId === fact.machineId && events.includes(eventOf[fact.kind])
          return isWanted && link?.isReporting ? [{ projectId, row: eventRow(fact, link) }] : []
        }),
      )
      for (const [projectId, own] of Map.groupBy(rows, (each) => each.projectId))
        await streams.append(
          projectId,
          own.map(({ row }) => row),
        )
    },
  }
}

interface Wanting {
  readonly projectId: number
  readonly machineId: number
  readonly events: readonly contract.ProjectEvent[]
}

/** The projects of machines with the events that their destinations want. */
async function listWanting(db: Db, machineIds: readonly number[]): Promise<Wanting[]> {
  const { rows } = await sql<Wanting>`
    select link.project_id as "projectId", link.machine_id as "machineId", array_agg(distinct event) as events
    from project_machines link
    join destinations destination on destination.project_id = link.project_id and destination.state = 'on'
    cross join unnest(destination.events) as event
    where link.machine_id = any(${[...machineIds]}::bigint[]) and link.stop is null
    group by link.project_id, link.machine_id`.execute(db)
  return rows
}

function eventRow(fact: EventFact, { linkId, machineId, machineCode, machineName }: Link): NewRow {
  const event = {
    ...{ event: eventOf[fact.kind], machineCode, machineName, time: fact.at, eventId: String(fact.id) },
    ...('alarmId' in fact && {
      alarm: { id: fact.alarmId, key: fact.key, level: fact.level, text: fact.text },
    }),
  }
  return {
    linkId,
    machineId,
    kind: 'event',
    time: fact.at,
    late: false,
    text: JSON.stringify(event).slice(1),
  }
}
