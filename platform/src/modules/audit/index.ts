/** The audit log: entries about acts of people, and the seals that show a later change. */
export { type AuditVerdict, verifyAudit } from './audit-chain.ts'
export type { AuditHead } from './audit-key.ts'
export { type AuditKey, auditFiles, openAuditKey, readAuditHead, readAuditKey } from './audit-key.ts'
export { createAuditModule } from './audit-module.ts'
export { AuditSealer } from './audit-sealer.ts'
export {
  countOpenEntries,
  type EntryFilter,
  type EntryRow,
  type EntrySubject,
  listEntries,
} from './audit-store.ts'
export { type Actor, auditAct, auditServerAct } from './note-act.ts'
export { type AuditEntry, writeAudit } from './write-audit.ts'
