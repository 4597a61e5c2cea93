import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { type AccessPort, noAccess } from '../access/index.ts'
import { listNames } from '../machine-names/index.ts'
import { findController, hasControlRequest } from './controller-store.ts'
import type { Embedding } from './embedding.ts'

/** The visit as the agent's own page shows it. Instants in epoch milliseconds. */
export interface PageVisit {
  /** The machine's name for the visitor. */
  readonly machine: string
  readonly mode: 'rw' | 'ro'
  /** When the visit ends at the latest. */
  readonly until: number
  /** The platform's clock. */
  readonly now: number
  /** Whether control is theirs as soon as they ask; otherwise its holder, or a key, is asked. */
  readonly mayTake: boolean
  /** Whether they ask for it. */
  readonly asks: boolean
  /** The holder; null if it is free. `me`: the visitor, in this visit or another. */
  readonly controller: { readonly me: boolean; readonly name: string; readonly since: number } | null
}

/** The visit that it is read for. */
interface AskingVisit {
  readonly visitId: number
  readonly machineId: number
  readonly userId: number
  readonly mode: PageVisit['mode']
  readonly until: number
  readonly embedding: Embedding | undefined
}

interface Deps {
  readonly db: Kysely<DB>
  readonly access: AccessPort
}

/** Reads the visit for the agent's own page (rules/visits.md: the agent's own page). */
export async function readPageVisit(
  { db, access }: Deps,
  visit: AskingVisit,
  now: number,
): Promise<PageVisit> {
  const { machineId, userId, visitId } = visit
  const [names, holder, asks, rights] = await Promise.all([
    listNames(db, userId, [machineId]),
    findController(db, machineId, new Date(now)),
    hasControlRequest(db, visitId),
    access.list(userId, [machineId], now),
  ])
  const right = rights.get(machineId) ?? noAccess
  const isFree = !holder || holder.user_id === userId
  return {
    machine: names.get(machineId) ?? '',
    mode: visit.mode,
    until: visit.until,
    now,
    mayTake:
      right.rights.has('visitor+') &&
      !right.readOnly &&
      visit.embedding?.mayControl !== false &&
      (isFree || right.rights.has('bkey+')),
    asks,
    controller: holder
      ? { me: holder.user_id === userId, name: holder.name, since: holder.since.getTime() }
      : null,
  }
}
