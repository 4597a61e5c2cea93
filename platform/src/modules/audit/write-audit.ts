import * as store from './audit-store.ts'

/** An act, or a refused one. */
export interface AuditEntry {
  /** Null for acts of the platform itself, and of strangers. */
  readonly actorUserId: number | null
  /** Dotted lower case, the thing first: `user.login`, `enterprise.member.remove`. */
  readonly action: string
  /** The target of the act, as a person recognises it: a machine code, an account, a brand's name. */
  readonly target: string
  readonly address: string
  /** The terminal's name; empty if none is known. */
  readonly terminal?: string
  readonly result: 'ok' | 'refused'
  /** More of it. Never a password, a code, a secret. */
  readonly detail?: Record<string, unknown>
  readonly at: Date
}

const textCharactersMax = 254

/** Adds an entry to the audit log: one insert, in the caller's transaction. */
export async function writeAudit(db: store.Db, entry: AuditEntry): Promise<void> {
  await store.createEntry(db, {
    at: entry.at,
    actorUserId: entry.actorUserId,
    action: entry.action,
    target: storable(entry.target),
    address: storable(entry.address),
    terminal: storable(entry.terminal ?? ''),
    result: entry.result,
    detail: JSON.stringify(entry.detail ?? {}, (_, value) =>
      typeof value === 'string' ? storable(value) : value,
    ),
  })
}

/** Strangers choose some of these texts: an entry must be stored whatever they send. */
function storable(text: string): string {
  return text.slice(0, textCharactersMax).replaceAll('\0', '').toWellFormed()
}
