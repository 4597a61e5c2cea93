import { type visits as contract, timing } from '@busbar/contract'
import type { Access, AccessPort } from '../access/index.ts'
import type { Embedding, EmbeddingPort } from './embedding.ts'
import type { Permission } from './live-visit.ts'
import { type Db, findVisit, type VisitRow } from './visits-store.ts'

/** The state of a visit in the database now. */
export type Decision =
  /** Ended already, or gone with its machine or visitor. */
  | { readonly kind: 'over'; readonly reason: contract.VisitEndReason }
  /** It goes on no longer. */
  | { readonly kind: 'lost'; readonly reason: contract.VisitEndReason }
  | {
      readonly kind: 'allowed'
      readonly permission: Permission
      /** The visitor has read-only access, whoever holds the controller. */
      readonly readOnly: boolean
      /** It holds its machine's controller. */
      readonly controls: boolean
      readonly storedUntil: number
      readonly activeAt: number
    }

/**
 * Decides about a visit by the one function of rights, its session or its project, and its machine's controller.
 */
export async function decideVisit(
  { db, access, embeddings }: { db: Db; access: AccessPort; embeddings: EmbeddingPort },
  visit: { visitId: number; userId: number; machineId: number },
  now: number,
): Promise<Decision> {
  const [row, rights] = await Promise.all([
    findVisit(db, visit.visitId, new Date(now)),
    access.list(visit.userId, [visit.machineId], now),
  ])
  if (!row) return { kind: 'over', reason: 'rightLost' }
  if (row.ended_at) return { kind: 'over', reason: row.end_reason as contract.VisitEndReason }
  if (!row.is_signed_in) return { kind: 'lost', reason: 'signedOut' }
  // When the machine's owner changes every visit ends, even the next owner's: their page is opened anew.
  if (!row.is_since_owned) return { kind: 'lost', reason: 'rightLost' }
  const right = rights.get(visit.machineId)
  if (!right?.rights.has('visitor+')) {
    const why = await access.denialReason(visit.userId, visit.machineId, now)
    if (!right?.level && why === 'CLOUD_EXPIRED') {
      // A maintenance window: it ran out, or its owner closed it.
      return { kind: 'lost', reason: row.ends_at.getTime() <= now ? 'visitTimeOver' : 'rightLost' }
    }
    return { kind: 'lost', reason: lostReasonOf(why) }
  }
  const embedding = await findEmbedding(db, embeddings, row, now)
  if (embedding === 'gone') return { kind: 'lost', reason: 'rightLost' }
  // A visitor who looked at ports by the agent's leave goes on so; a lost right to use them ends the visit.
  const isOfPorts = row.port_reach !== null
  if (row.port_reach === 'user' && !right.mayUsePorts)
    return { kind: 'lost', reason: row.ends_at.getTime() <= now ? 'visitTimeOver' : 'rightLost' }
  const timeUpAt = row.started_at.getTime() + timing.visitMaxMs
  const portsEndAt = (isOfPorts ? right.portsEndAt : undefined) ?? timeUpAt
  const rightEndsAt = Math.min(right.endsAt ?? timeUpAt, embedding?.endsAt ?? timeUpAt, portsEndAt)
  const isBounded = rightEndsAt < timeUpAt
  const readOnly = mayOnlyLook(row, right, embedding)
  return {
    kind: 'allowed',
    permission: {
      mode: row.controls && !readOnly ? 'rw' : 'ro',
      until: Math.min(rightEndsAt, timeUpAt),
      untilReason: isBounded ? 'visitTimeOver' : 'timeUp',
      embedding,
    },
    readOnly,
    controls: row.controls,
    storedUntil: row.ends_at.getTime(),
    activeAt: row.active_at.getTime(),
  }
}

/** Whether a visit's person may change nothing in it, whoever holds the controller. */
export function mayOnlyLook(
  row: VisitRow,
  right: Access,
  embedding: Embedding | 'gone' | undefined,
): boolean {
  const isEmbeddedToLook = embedding === 'gone' || embedding?.mayControl === false
  return right.readOnly || isEmbeddedToLook || row.port_reach === 'visitor'
}

/** Terms of the project whose portal shows the visit; undefined of a visit of a session. */
export async function findEmbedding(
  db: Db,
  embeddings: EmbeddingPort,
  row: VisitRow,
  now: number,
): Promise<Embedding | 'gone' | undefined> {
  const { project_id: projectId, link_id: linkId, project_key_id: keyId } = row
  if (projectId === null || linkId === null || keyId === null) return undefined
  const found = await embeddings.find(
    db,
    { projectId, linkId, keyId, userId: row.user_id, machineId: row.machine_id },
    now,
  )
  return found && (found.endsAt ?? now + 1) > now ? found : 'gone'
}

function lostReasonOf(why: string): contract.VisitEndReason {
  if (why === 'CLOUD_EXPIRED') return 'cloudOff'
  return why === 'REST_TIME_OUT' ? 'visitTimeOver' : 'rightLost'
}
