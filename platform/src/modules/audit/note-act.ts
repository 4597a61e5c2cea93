import type { SignedIn } from '../../kernel/http/bind.ts'
import { type Db, findTerminalName } from './audit-store.ts'
import { type AuditEntry, writeAudit } from './write-audit.ts'

/** The person who acts: a signed-in caller of a route. */
export interface Actor {
  readonly user: SignedIn
  readonly address: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** Adds the act of a command on the server, which has no person of the platform as its actor. */
export async function auditServerAct(
  db: Db,
  action: string,
  target: string,
  at: Date,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await writeAudit(db, { actorUserId: null, action, target, address: 'server', result: 'ok', detail, at })
}

/** Adds a signed-in caller's act to the audit log, with their terminal, in the caller's transaction. */
export async function auditAct(
  db: Db,
  actor: Actor,
  act: Pick<AuditEntry, 'action' | 'target' | 'detail'> & { result?: AuditEntry['result'] },
): Promise<void> {
  await writeAudit(db, {
    result: 'ok',
    ...act,
    actorUserId: actor.user.userId,
    address: actor.address,
    terminal: await findTerminalName(db, actor.user.sessionId),
    at: new Date(actor.now),
  })
}
