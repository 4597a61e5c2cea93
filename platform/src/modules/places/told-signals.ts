import { placeWays } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import type { ProviderFault } from '../../kernel/outgoing-http/ask-json.ts'
import { findTold, listRecent, toldMsMax } from './place-reads-store.ts'
import type { Fix } from './place-rules.ts'
import type { Locator, SignalKind } from './providers/locator.ts'
import type { Signals } from './providers/position-provider.ts'
import { deviceOf, readCells, readWifi } from './providers/read-signals.ts'
import { readGps } from './read-gps.ts'

export type Way = (typeof placeWays)[keyof typeof placeWays]

/** The news of a machine of the last day. */
export interface Told {
  readonly gps: Fix | undefined
  readonly signals: Signals
  /** When it told them, and when it was connected from its network address. */
  readonly at: Readonly<Record<SignalKind, number>>
}

const kindOf = {
  [placeWays.wifi]: 'wifi',
  [placeWays.baseStation]: 'cells',
  [placeWays.ip]: 'ip',
} as const

/** The way that the key chose first, then the others, the most exact first. */
export const orderWays = (chosen: Way | null): Way[] => [
  ...new Set([
    ...(chosen ? [chosen] : []),
    placeWays.gps,
    placeWays.wifi,
    placeWays.baseStation,
    placeWays.ip,
  ]),
]

export async function readTold(db: Database, machineId: number, now: number): Promise<Told> {
  const { told, toldAt, address, seenAt } = await findTold(db, machineId, new Date(now))
  const timeOf = (kind: 'gps' | 'wifi' | 'cells') => told?.at?.[kind] ?? toldAt?.getTime() ?? 0
  const newOf = (kind: 'gps' | 'wifi' | 'cells') =>
    now - timeOf(kind) < toldMsMax ? told?.[kind] : undefined
  return {
    gps: plausible(readGps(newOf('gps'), timeOf('gps'))),
    signals: {
      device: deviceOf(String(machineId)),
      cells: readCells(newOf('cells')),
      wifi: readWifi(newOf('wifi')),
      ip: address ?? undefined,
    },
    at: { wifi: timeOf('wifi'), cells: timeOf('cells'), ip: seenAt?.getTime() ?? 0 },
  }
}

/** Receivers without a fix tell 0/0. */
const plausible = (fix: Fix | undefined): Fix | undefined =>
  fix && Math.abs(fix.lat) <= 90 && Math.abs(fix.lng) <= 180 && (fix.lat !== 0 || fix.lng !== 0)
    ? fix
    : undefined

/** Whether somebody can answer by a way. */
export function canLocate(locator: Locator, { gps, signals }: Told, way: Way): boolean {
  return way === placeWays.gps ? gps !== undefined : locator.canLocate(only(signals, kindOf[way]))
}

/** Where the machine was by the first of the ways that tells it; neither a fix nor a fault: nobody knows. */
export async function findFix(
  db: Database,
  locator: Locator,
  machineId: number,
  { gps, signals, at }: Told,
  ways: readonly Way[],
): Promise<{ readonly fix?: Fix; readonly fault?: ProviderFault }> {
  const recent = await listRecent(db, machineId)
  let last: ProviderFault | undefined
  for (const way of ways) {
    if (way === placeWays.gps) {
      if (gps) return { fix: gps }
      continue
    }
    const kind = kindOf[way]
    const { position, fault } = await locator.locate(signals, [kind], recent)
    if (position) return { fix: { ...position, at: at[kind] } }
    last = fault ?? last
  }
  return last ? { fault: last } : {}
}

const only = (signals: Signals, kind: SignalKind): Signals => ({
  device: signals.device,
  [kind]: signals[kind],
})
