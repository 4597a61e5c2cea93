import type { agentConfig as contract } from '@busbar/contract'
import type { RemoteResult } from '@busbar/link'
import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'

/** Changes kept of one machine. */
const changesKeptMax = 500

export interface NewChange {
  readonly machineId: number
  readonly changeId: string
  readonly revision: number
  readonly restoredFrom: number | null
  readonly userId: number
  readonly at: Date
  readonly connections: number
  readonly tags: number
}

export async function createChange(db: Database, change: NewChange): Promise<void> {
  await db
    .insertInto('agent_config_changes')
    .values({
      machine_id: change.machineId,
      change_id: change.changeId,
      revision: change.revision,
      restored_from: change.restoredFrom,
      user_id: change.userId,
      at: change.at,
      connections: change.connections,
      tags: change.tags,
    })
    .execute()
  await db
    .deleteFrom('agent_config_changes')
    .where('machine_id', '=', change.machineId)
    .where('id', 'in', (of) =>
      of
        .selectFrom('agent_config_changes')
        .select('id')
        .where('machine_id', '=', change.machineId)
        .orderBy('at', 'desc')
        .offset(changesKeptMax),
    )
    .execute()
}

/** Stores the results of changes that had none. */
export async function updateResults(
  db: Database,
  machineId: number,
  results: readonly { readonly id: string; readonly result: RemoteResult; readonly reason: string }[],
): Promise<void> {
  if (results.length === 0) return
  await sql`
    update agent_config_changes set result = told.result, reason = told.reason
    from unnest(
      ${results.map(({ id }) => id)}::text[],
      ${results.map(({ result }) => result)}::text[],
      ${results.map(({ reason }) => reason)}::text[]
    ) told (id, result, reason)
    where machine_id = ${machineId} and change_id::text = told.id
      and agent_config_changes.result is null
  `.execute(db)
}

export interface ChangeRow {
  readonly change_id: string
  readonly revision: number
  readonly restored_from: number | null
  readonly at: Date
  readonly by: string | null
  readonly connections: number
  readonly tags: number
  readonly result: string | null
  readonly reason: string
}

/** Since the machine has its present owner, newest first. */
export function listChanges(
  db: Database,
  machineId: number,
  limit: typeof contract.agentConfigLimits.changesListed,
): Promise<ChangeRow[]> {
  return db
    .selectFrom('agent_config_changes')
    .leftJoin('users', 'users.id', 'agent_config_changes.user_id')
    .select([
      'change_id',
      'revision',
      'restored_from',
      'at',
      'users.name as by',
      'connections',
      'tags',
      'result',
      'reason',
    ])
    .where('machine_id', '=', machineId)
    .where(isSinceOwned(machineId, 'agent_config_changes.at'))
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
}

/** Whether a version was made from the platform since the machine has its present owner. */
export async function hasRevision(db: Database, machineId: number, revision: number): Promise<boolean> {
  const row = await db
    .selectFrom('agent_config_changes')
    .select('id')
    .where('machine_id', '=', machineId)
    .where('revision', '=', revision)
    .where(isSinceOwned(machineId, 'agent_config_changes.at'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function findMachineCode(db: Database, machineId: number): Promise<string> {
  const row = await db.selectFrom('machines').select('code').where('id', '=', machineId).executeTakeFirst()
  return row?.code ?? ''
}
