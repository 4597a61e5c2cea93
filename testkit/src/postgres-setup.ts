import { startTestPostgres } from './test-postgres.ts'

/** Vitest's global setup: one PostgreSQL for the whole run. What it answers is called at the end. */
export default function setup(): Promise<() => Promise<void>> {
  return startTestPostgres()
}
