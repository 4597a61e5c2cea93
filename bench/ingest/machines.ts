import { createHash } from 'node:crypto'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { sql } from 'kysely'
import { codeOf, machineSecret } from './messages.ts'

/** The stored form of the secret that all machines of a measurement have. */
export const machineSecretHash = createHash('sha256').update(machineSecret).digest()

/** Registers the machines numbered 0 to `count` - 1, without owners. */
export async function createMachines(db: Database, count: number): Promise<void> {
  const codes = Array.from({ length: count }, (_, number) => codeOf(number))
  await sql`insert into machines (code, type, name, secret_hash)
            select code, 'bench', code, ${machineSecretHash} from unnest(${codes}::text[]) as code`.execute(
    db,
  )
}
