import { startTestPostgres } from './test-postgres.ts'

/** Vitest's global setup: one PostgreSQL for the whole run. Vitest calls the returned function at the end. */
export default function setup(): Promise<() => Promise<void>> {
  return startTestPostgres()
}
