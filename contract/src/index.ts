import * as nouns from './nouns.ts'
import type { Route } from './route.ts'

export * from './accent.ts'
export * from './alarm-limits.ts'
export * from './alarm-sms.ts'
export { isAuditOpen } from './audit-states.ts'
export * from './board-layout.ts'
export * from './board-limits.ts'
export * from './board-refs.ts'
export * from './brand-fields.ts'
export * from './client.ts'
export * from './code-pattern.ts'
export * from './csv.ts'
export * from './decimals.ts'
export * from './decode-table.ts'
export { describeField, rulesOf } from './describe-rules.ts'
export * from './errors.ts'
export * from './export-limits.ts'
export * from './fields.ts'
export * from './file-answer.ts'
export * from './form.ts'
export * from './form-rules.ts'
export * from './json-nodes.ts'
export * from './limits.ts'
export * from './may-call.ts'
export * from './nouns.ts'
export * from './platform-alarms.ts'
export * from './project-limits.ts'
export * from './rates.ts'
export * from './read-csv.ts'
export * from './report-limits.ts'
export * from './route.ts'
export * from './sms-segments.ts'
export * from './table-fault.ts'
export * from './tag-fields.ts'
export * from './tag-limits.ts'
export * from './terminals.ts'
export * from './text.ts'
export * from './topic-pattern.ts'
export * from './view-limits.ts'

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'who' in value

/** Every route of the API, by its exported name within its noun. */
export const routes: readonly Route[] = Object.values(nouns).flatMap((noun) =>
  (Object.values(noun) as unknown[]).filter(isRoute),
)
