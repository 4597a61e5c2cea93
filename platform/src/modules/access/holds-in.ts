import { demoMachineCode, type MemberRight } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { type AccessFacts, decideAccess, type EnterpriseMember } from './access-rules.ts'
import { listAccessFacts } from './access-store.ts'

/** A list of an enterprise. */
export interface EnterpriseList {
  readonly eid: number
  readonly kind: 'owned' | 'maintained'
}

interface MemberRow {
  role: EnterpriseMember['role']
  rights: MemberRight[]
  is_leaving: boolean
  blacklisted: number[]
}

/**
 * Decides for each machine of an enterprise's list whether a person holds it now, without a look at each of a hundred
 * thousand: a membership alone decides alike about all machines that the enterprise owns, unless a blacklist names the
 * person; a grant, a team or a window only adds to it. Decided by `decideAccess`; a test compares both.
 */
export async function holdsIn(
  db: Kysely<DB>,
  userId: number,
  list: EnterpriseList,
  { now, demo }: { readonly now: number; readonly demo: boolean },
): Promise<(machineId: number) => boolean> {
  const isHolder = (facts: AccessFacts) => decideAccess(facts, now, demo).rights.has('holder')
  const member = list.kind === 'owned' ? await findMember(db, userId, list.eid) : undefined
  if (member) {
    const decide = (isBlacklisted: boolean) =>
      isHolder({
        ...nothingElse,
        isLeaving: member.is_leaving,
        isBlacklisted,
        member: { role: member.role, rights: member.rights, isInTeam: false },
      })
    if (decide(true)) return () => true
    const blacklisted = new Set(member.blacklisted)
    if (decide(false)) return (machineId) => !blacklisted.has(machineId)
  }
  const facts = await listAccessFacts(
    db,
    userId,
    await listGiven(db, userId, list, { at: new Date(now), demo }),
    now,
  )
  const held = new Set([...facts].filter(([, each]) => isHolder(each)).map(([machineId]) => machineId))
  return (machineId) => held.has(machineId)
}

/** Of a machine that nothing but a membership gives. */
const nothingElse = {
  machineCode: '',
  cloudService: false,
  isOwner: false,
  isListed: false,
  grant: undefined,
  maintenance: undefined,
}

async function findMember(db: Kysely<DB>, userId: number, eid: number): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select member.role, member.rights, person.leaves_at is not null as is_leaving,
           (select coalesce(json_agg(black.machine_id), '[]') from machine_blacklist black
            where black.user_id = member.user_id) as blacklisted
    from enterprise_members member
    join enterprises space on space.id = member.enterprise_id and space.state = 'active'
    join users person on person.id = member.user_id
    where member.enterprise_id = ${eid} and member.user_id = ${userId}`.execute(db)
  return rows[0]
}

/**
 * The machines of a list that something else than a membership of their owner may give a person: a grant, a team, an open
 * window. A list of maintained machines has owners of its own, so each is looked at.
 */
async function listGiven(
  db: Kysely<DB>,
  userId: number,
  { eid, kind }: EnterpriseList,
  { at, demo }: { readonly at: Date; readonly demo: boolean },
): Promise<number[]> {
  const given = sql`
    select machine_id from machine_grants where user_id = ${userId}
    union
    select looked_after.machine_id from enterprise_team_members mate
    join enterprise_team_machines looked_after on looked_after.team_id = mate.team_id
    where mate.user_id = ${userId}
    union
    select machine_id from maintenance_windows
    where enterprise_id in (select enterprise_id from enterprise_members where user_id = ${userId})
      and state = 'accepted' and start_at <= ${at}::timestamptz and (stop_at is null or stop_at > ${at}::timestamptz)
    ${demo ? sql`union select id from machines where code = ${demoMachineCode}` : sql``}`
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(json_agg(machine_id), '[]') as ids from enterprise_machines
    where enterprise_id = ${eid} and kind = ${kind}
      and (${kind === 'maintained'} or machine_id in (${given}))`.execute(db)
  return rows[0]?.ids ?? []
}
