import { sql } from 'kysely'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'

const megabyte = 1_048_576

/**
 * The budgets of the bytes that a person and an enterprise keep. The database itself counts what the tables of all
 * modules keep and refuses what is beyond a budget, so that no statement can be forgotten; `kernel/http/storage-full.ts`
 * turns its refusal into an answer (rules/data-centre.md: storage).
 */
export function createStoredBytesModule({ db, config }: Kernel): Module {
  const person = config.STORAGE_MB_PERSON * megabyte
  const enterprise = config.STORAGE_MB_ENTERPRISE * megabyte
  return {
    name: 'storedBytes',
    roles: ['api'],
    async start() {
      await sql`update storage_budgets set person_bytes = ${person}, enterprise_bytes = ${enterprise}
        where is_only and (person_bytes, enterprise_bytes) <> (${person}::bigint, ${enterprise}::bigint)`.execute(
        db,
      )
    },
  }
}
