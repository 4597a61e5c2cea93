import type { Module } from '../../kernel/module.ts'
import { auditFollower } from './follow-facts.ts'

/** The audit log. */
export function createAuditModule(): Module {
  return { name: 'audit', roles: ['api'], follows: [auditFollower] }
}
