import * as access from './access.ts'
import * as accounts from './accounts.ts'
import * as applications from './applications.ts'
import * as brands from './brands.ts'
import * as codes from './codes.ts'
import * as enterprises from './enterprises.ts'
import * as health from './health.ts'
import * as ingest from './ingest.ts'
import * as machines from './machines.ts'
import * as messages from './messages.ts'
import * as operator from './operator.ts'
import * as registration from './registration.ts'
import type { Route } from './route.ts'
import * as scada from './scada.ts'
import * as telemetry from './telemetry.ts'
import * as visits from './visits.ts'

export * from './accent.ts'
export { isAuditOpen } from './audit-states.ts'
export * from './brand-fields.ts'
export * from './client.ts'
export * from './code-pattern.ts'
export * from './csv.ts'
export * from './decimals.ts'
export * from './errors.ts'
export * from './fields.ts'
export * from './form.ts'
export * from './json-nodes.ts'
export * from './limits.ts'
export * from './may-call.ts'
export * from './rates.ts'
export * from './route.ts'
export * from './terminals.ts'
export * from './text.ts'
export {
  access,
  accounts,
  applications,
  brands,
  codes,
  enterprises,
  health,
  ingest,
  machines,
  messages,
  operator,
  registration,
  scada,
  telemetry,
  visits,
}

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'who' in value

/** Every route of the API, by its exported name within its noun. */
export const routes: readonly Route[] = [
  access,
  accounts,
  applications,
  brands,
  codes,
  enterprises,
  health,
  ingest,
  machines,
  messages,
  operator,
  registration,
  scada,
  telemetry,
  visits,
].flatMap((noun) => (Object.values(noun) as unknown[]).filter(isRoute))
