import { createHash } from 'node:crypto'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { sql } from 'kysely'
import { codeOf, machineSecret } from './messages.ts'

/** The stored form of the secret that all machines of a measurement have. */
export const machineSecretHash = createHash('sha256').update(machineSecret).digest()

/** Registers `count` machines, the first of this number, without owners. */
export async function createMachines(db: Database, count: number, first = 0): Promise<void> {
  const codes = Array.from({ length: count }, (_, place) => codeOf(first + place))
  await sql`insert into machines (code, type, name, secret_hash)
            select code, 'bench', code, ${machineSecretHash} from unnest(${codes}::text[]) as code`.execute(
    db,
  )
}
