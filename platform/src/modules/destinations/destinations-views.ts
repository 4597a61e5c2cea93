import type { destinations as contract } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import type { ProjectStreams } from '../project-stream/index.ts'
import type { ReportingFigures } from '../projects/index.ts'
import type { StoredDelivery } from './deliveries-store.ts'
import {
  listDestinations,
  listSecrets,
  type StoredDestination,
  type StoredSecret,
} from './destinations-store.ts'

/** How far a destination is behind the stream of its project. */
export interface Lag {
  readonly rows: number
  /** Milliseconds that the oldest row has waited. */
  readonly ms: number
}

type Streams = Pick<ProjectStreams, 'heads' | 'listAges'>

/** Destinations of projects with their lag, the oldest first. */
export async function listWithLag(
  db: Database,
  streams: Streams,
  projectIds: readonly number[],
  now: number,
): Promise<(StoredDestination & { readonly lag: Lag })[]> {
  const destinations = await listDestinations(db, projectIds)
  const heads = await streams.heads([...new Set(destinations.map(({ projectId }) => projectId))])
  const places = destinations.map(({ projectId, ackedNo }) => ({ projectId, afterNo: ackedNo }))
  const ages = await streams.listAges(places)
  return destinations.map((destination, place) => {
    const { nextNo = 1 } = heads.get(destination.projectId) ?? {}
    const since = ages[place]
    const ms = since ? Math.max(0, now - since.getTime()) : 0
    return { ...destination, lag: { rows: Math.max(0, nextNo - 1 - destination.ackedNo), ms } }
  })
}

export function presentDestination(
  destination: StoredDestination & { readonly lag: Lag },
  secrets: readonly StoredSecret[],
): contract.Destination {
  const { name, type, url, format, ndjson, gzip, lanes, rowsMax, rows, events, state, switchedOff } =
    destination
  const { fault, status, gaps, gapFrom, gapTo, lag, mqtt } = destination
  const own = secrets.filter(({ destinationId }) => destinationId === destination.id)
  return {
    ...{ targetId: destination.id, name, type, url, format, ndjson, gzip, lanes, rowsMax, rows },
    ...{ events: [...events], state, switchedOff, fault, status, gaps, ...(mqtt && { mqtt }) },
    failingSince: ms(destination.failingSince),
    nextTryAt: ms(destination.nextTryAt),
    lastOkAt: ms(destination.lastOkAt),
    lagRows: lag.rows,
    lagMs: lag.ms,
    ...(gapFrom && gapTo && { gap: { from: gapFrom.getTime(), to: gapTo.getTime() } }),
    secrets: own.map(({ createdAt, endsAt }) => ({ createdAt: createdAt.getTime(), endsAt: ms(endsAt) })),
  }
}

const ms = (at: Date | null): number | null => at?.getTime() ?? null

export async function listPresented(
  db: Database,
  streams: Streams,
  projectId: number,
  now: number,
): Promise<contract.Destination[]> {
  const found = await listWithLag(db, streams, [projectId], now)
  const secrets = await listSecrets(
    db,
    found.map(({ id }) => id),
    new Date(now),
  )
  return found.map((destination) => presentDestination(destination, secrets))
}

export const presentDelivery = (delivery: StoredDelivery): contract.Delivery => ({
  id: delivery.id,
  at: delivery.at.getTime(),
  targetId: delivery.destinationId,
  target: delivery.target,
  ...(delivery.requests > 1 && { requests: delivery.requests }),
  rows: delivery.rows,
  bytes: delivery.bytes,
  status: delivery.state,
  httpStatus: delivery.status,
  attempts: delivery.attempts,
  ms: delivery.ms,
  ...(delivery.fault && { error: delivery.fault }),
})

/** How the destinations of projects are: the figures of the worst that is on, and its name. */
export async function listFigures(
  db: Database,
  streams: Streams,
  projectIds: readonly number[],
  now: number,
): Promise<Map<number, ReportingFigures>> {
  const destinations = await listWithLag(db, streams, projectIds, now)
  return new Map(
    [...Map.groupBy(destinations, ({ projectId }) => projectId)].map(([projectId, own]) => {
      const on = own.filter(({ state }) => state === 'on')
      const failing = own.filter(
        ({ state, failingSince }) => state === 'switchedOff' || failingSince !== null,
      )
      const behind = on.filter(({ lag }) => lag.ms > 0).sort((a, b) => b.lag.ms - a.lag.ms)
      return [
        projectId,
        {
          isOn: on.length > 0,
          lagMs: on.length > 0 ? (behind[0]?.lag.ms ?? 0) : null,
          lagRows: on.length > 0 ? Math.max(...on.map(({ lag }) => lag.rows)) : null,
          worstTarget: (failing[0] ?? behind[0])?.name ?? null,
          isFailing: failing.length > 0,
        },
      ]
    }),
  )
}
