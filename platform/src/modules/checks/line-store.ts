import { platformAlarms } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** Machines of one site lose their line within this time. */
const togetherS = 90

/** The line of a machine as the database knows it. */
export interface StoredLine {
  readonly lastSeenAt: Date | null
  readonly clockOffsetMs: number | null
  readonly attributes: Readonly<Record<string, unknown>>
  readonly hasTwoUsers: boolean
  /** Whether the enterprise that owns the machine is locked, for a member of it. */
  readonly isOwnerLocked: boolean
  /** The newest wrong secret, with what its address is counted under. */
  readonly refused: { readonly at: Date; readonly from: string } | undefined
  /** The reason of the end of a connection, with its time. */
  readonly farewell: { readonly at: Date; readonly reason: string } | undefined
  readonly hadTunnel: boolean
  /** Its newest connection since it has its present owner. */
  readonly last:
    | {
        readonly protocol: string
        readonly address: string
        readonly startedAt: Date
        readonly endedAt: Date | null
      }
    | undefined
}

export async function findLine(db: Kysely<DB>, machineId: number, userId: number): Promise<StoredLine> {
  const machine = await db
    .selectFrom('machines')
    .leftJoin('enterprises', 'enterprises.id', 'machines.owner_enterprise_id')
    .leftJoin('enterprise_members as member', (join) =>
      join.onRef('member.enterprise_id', '=', 'enterprises.id').on('member.user_id', '=', userId),
    )
    .select([
      'machines.last_seen_at',
      'machines.clock_offset_ms',
      'machines.attributes',
      sql<boolean>`coalesce(enterprises.state = 'locked' and member.user_id is not null, false)`.as('locked'),
      sql<boolean>`exists (
        select from alarms where machine_id = machines.id and key = ${platformAlarms.takeover.key}
          and cleared_at is null)`.as('two_users'),
    ])
    .where('machines.id', '=', machineId)
    .executeTakeFirstOrThrow()
  const last = await db
    .selectFrom('machine_connections')
    .select(['protocol', 'address', 'started_at', 'ended_at'])
    .where('machine_id', '=', machineId)
    .where(isSinceOwned(machineId, 'started_at'))
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const note = await db
    .selectFrom('line_notes')
    .select((row) => [
      row
        .case()
        .when(isSinceOwned(machineId, 'refused_at'))
        .then(row.ref('refused_at'))
        .end()
        .as('refused_at'),
      'refused_from',
      row.case().when(isSinceOwned(machineId, 'ended_at')).then(row.ref('ended_at')).end().as('ended_at'),
      'end_reason',
      row.case().when(isSinceOwned(machineId, 'tunnel_at')).then(row.ref('tunnel_at')).end().as('tunnel_at'),
    ])
    .where('machine_id', '=', machineId)
    .executeTakeFirst()
  return {
    refused: note?.refused_at ? { at: note.refused_at, from: note.refused_from ?? '' } : undefined,
    farewell: note?.ended_at ? { at: note.ended_at, reason: note.end_reason ?? '' } : undefined,
    hadTunnel: Boolean(note?.tunnel_at),
    lastSeenAt: machine.last_seen_at,
    clockOffsetMs: machine.clock_offset_ms,
    attributes: (machine.attributes ?? {}) as Record<string, unknown>,
    hasTwoUsers: machine.two_users,
    isOwnerLocked: machine.locked,
    last: last && {
      protocol: last.protocol,
      address: last.address,
      startedAt: last.started_at,
      endedAt: last.ended_at,
    },
  }
}

/** Other machines of the same owner that went from the same address at the same time, and are still away. */
export async function countAwayTogether(
  db: Kysely<DB>,
  machineId: number,
  { address, endedAt }: { readonly address: string; readonly endedAt: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct other.id)::float8 as count
    from machine_connections gone
    join machines other on other.id = gone.machine_id
    join machines own on own.id = ${machineId}
    where gone.ended_at between ${endedAt}::timestamptz - make_interval(secs => ${togetherS})
        and ${endedAt}::timestamptz + make_interval(secs => ${togetherS})
      and gone.address = ${address} and gone.machine_id <> own.id
      and (other.owner_user_id = own.owner_user_id or other.owner_enterprise_id = own.owner_enterprise_id)
      and not exists (
        select from machine_connections open where open.machine_id = gone.machine_id and open.ended_at is null)`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export async function findMachineCode(db: Kysely<DB>, machineId: number): Promise<string> {
  const row = await db.selectFrom('machines').select('code').where('id', '=', machineId).executeTakeFirst()
  return row?.code ?? ''
}
