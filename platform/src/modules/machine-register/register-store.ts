import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>

/** A machine to be registered; secret and password as hashes. */
export interface NewMachine {
  readonly code: string
  readonly type: string
  readonly model: string
  readonly name: string
  readonly secretHash: Buffer
  readonly passwordHash: string | null
}

/** The registered ones of these codes. */
export async function listKnownCodes(db: Db, codes: readonly string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set()
  const rows = await db
    .selectFrom('machines')
    .select('code')
    .where('code', 'in', [...codes])
    .execute()
  return new Set(rows.map((row) => row.code))
}

/** Registers machines; answers the ids of those whose codes were not known, by code. */
export async function createMachines(
  trx: Db,
  machines: readonly NewMachine[],
): Promise<ReadonlyMap<string, number>> {
  if (machines.length === 0) return new Map()
  const rows = await trx
    .insertInto('machines')
    .values(
      machines.map((machine) => ({
        code: machine.code,
        name: machine.name,
        type: machine.type,
        model: machine.model,
        secret_hash: machine.secretHash,
        password_hash: machine.passwordHash,
      })),
    )
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning(['id', 'code'])
    .execute()
  return new Map(rows.map((row) => [row.code, row.id]))
}

/** The fields that a machine's keys may change; of passwords the hashes. */
export interface MachineSettings {
  readonly name?: string
  readonly check_type?: number
  readonly cloud_service?: boolean
  readonly password_hash?: string
  readonly secret_hash?: Buffer
  readonly adapter?: string | null
  readonly time_zone?: string
  readonly text_encoding?: string
  readonly project_image?: string | null
}

/** Changes a machine's settings. */
export async function updateMachine(
  trx: Transaction<DB>,
  machineId: number,
  settings: MachineSettings,
): Promise<void> {
  await trx.updateTable('machines').set(settings).where('id', '=', machineId).execute()
}

/** Removes machines from the register, with everything that is kept about them. */
export async function removeMachines(trx: Transaction<DB>, machineIds: readonly number[]): Promise<void> {
  if (machineIds.length === 0) return
  await trx
    .deleteFrom('machines')
    .where('id', 'in', [...machineIds])
    .execute()
}
