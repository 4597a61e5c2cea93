import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { sql } from 'kysely'

/** The state that rights depend on, in the model and in the database. Instants are epoch milliseconds. */
export interface State {
  /** By machine. */
  readonly machines: Map<number, Machine>
  /** By machine and person. */
  readonly grants: Map<Pair, Grant>
  /** The groups of a machine, of everybody who has it in the list. */
  readonly listed: Map<Pair, number[]>
  readonly blacklist: Set<Pair>
  /** By id; those the model makes have negative ones. */
  readonly applications: Map<number, Application>
  readonly transfers: Map<number, Transfer>
  readonly groups: Map<number, { user: number; name: string }>
}

/** `machine/user`. */
export type Pair = `${number}/${number}`
export const pairOf = (machine: number, user: number): Pair => `${machine}/${user}`

export interface Machine {
  owner: number | null
  checkType: number
  /** Null: it never changed hands. */
  ownedSince: number | null
}

export interface Grant {
  id: number
  role: 'bkey' | 'visitor'
  until: number | null
  readOnly: boolean
}

export interface Application {
  kind: 'bind' | 'visit'
  machine: number
  user: number
  proposedBy: number | null
  wish: 'ro' | 'rw'
  state: number
  createdAt: number
  expiresAt: number
}

export interface Transfer {
  machine: number
  from: number
  to: number
  state: string
  expiresAt: number
}

/** Everything of the machines and people of a history. */
export async function readState(
  db: Database,
  machineIds: readonly number[],
  userIds: readonly number[],
): Promise<State> {
  const { rows } = await sql<{ state: Read }>`
    select json_build_object(
      'machines', (select coalesce(json_agg(json_build_array(id, owner_user_id, check_type,
          (extract(epoch from owned_since) * 1000)::bigint) order by id), '[]')
        from machines where id = any(${[...machineIds]}::bigint[])),
      'grants', (select coalesce(json_agg(json_build_array(machine_id, user_id, id, role,
          (extract(epoch from until) * 1000)::bigint, read_only) order by id), '[]')
        from machine_grants where machine_id = any(${[...machineIds]}::bigint[])),
      'listed', (select coalesce(json_agg(json_build_array(machine_id, user_id,
          (select coalesce(json_agg(group_id order by group_id), '[]') from machine_list_entry_groups g
           where g.machine_id = entry.machine_id and g.user_id = entry.user_id))), '[]')
        from machine_list_entries entry where user_id = any(${[...userIds]}::bigint[])),
      'blacklist', (select coalesce(json_agg(json_build_array(machine_id, user_id)), '[]')
        from machine_blacklist where machine_id = any(${[...machineIds]}::bigint[])),
      'applications', (select coalesce(json_agg(json_build_array(id, kind, machine_id, user_id, proposed_by, wish, state,
          (extract(epoch from created_at) * 1000)::bigint, (extract(epoch from expires_at) * 1000)::bigint)
          order by id), '[]')
        from applications where machine_id = any(${[...machineIds]}::bigint[])),
      'transfers', (select coalesce(json_agg(json_build_array(id, machine_id, from_user_id, to_user_id, state,
          (extract(epoch from expires_at) * 1000)::bigint) order by id), '[]')
        from machine_transfers where machine_id = any(${[...machineIds]}::bigint[])),
      'groups', (select coalesce(json_agg(json_build_array(id, user_id, name) order by id), '[]')
        from machine_groups where user_id = any(${[...userIds]}::bigint[]))) as state`.execute(db)
  const read = rows[0]?.state
  if (!read) throw new Error('no state')
  return {
    machines: new Map(
      read.machines.map(([id, owner, checkType, ownedSince]) => [id, { owner, checkType, ownedSince }]),
    ),
    grants: new Map(
      read.grants.map(([machine, user, id, role, until, readOnly]) => [
        pairOf(machine, user),
        { id, role, until, readOnly },
      ]),
    ),
    listed: new Map(read.listed.map(([machine, user, groups]) => [pairOf(machine, user), groups])),
    blacklist: new Set(read.blacklist.map(([machine, user]) => pairOf(machine, user))),
    applications: new Map(
      read.applications.map(([id, kind, machine, user, proposedBy, wish, state, createdAt, expiresAt]) => [
        id,
        { kind, machine, user, proposedBy, wish, state, createdAt, expiresAt },
      ]),
    ),
    transfers: new Map(
      read.transfers.map(([id, machine, from, to, state, expiresAt]) => [
        id,
        { machine, from, to, state, expiresAt },
      ]),
    ),
    groups: new Map(read.groups.map(([id, user, name]) => [id, { user, name }])),
  }
}

interface Read {
  machines: [number, number | null, number, number | null][]
  grants: [number, number, number, Grant['role'], number | null, boolean][]
  listed: [number, number, number[]][]
  blacklist: [number, number][]
  applications: [
    number,
    Application['kind'],
    number,
    number,
    number | null,
    Application['wish'],
    number,
    number,
    number,
  ][]
  transfers: [number, number, number, number, string, number][]
  groups: [number, number, string][]
}

/** A copy one may change. */
export function cloneState(state: State): State {
  const cloneEach = <Key, Value extends object>(map: ReadonlyMap<Key, Value>) =>
    new Map([...map].map(([key, value]) => [key, { ...value }]))
  return {
    machines: cloneEach(state.machines),
    grants: cloneEach(state.grants),
    listed: new Map([...state.listed].map(([pair, groups]) => [pair, [...groups]])),
    blacklist: new Set(state.blacklist),
    applications: cloneEach(state.applications),
    transfers: cloneEach(state.transfers),
    groups: cloneEach(state.groups),
  }
}

/**
 * The differences from `before`, as a text that is the same for equal changes. Things that are not in it were created
 * in between: the model cannot know their ids.
 */
export function describeChange(state: State, before: State): string {
  const grantIds = new Set([...before.grants.values()].map(({ id }) => id))
  const named = new Map(
    [...state.grants].map(([pair, grant]) => [
      pair,
      { ...grant, id: grantIds.has(grant.id) ? grant.id : 'new' },
    ]),
  )
  const sorted = (listed: State['listed']) =>
    new Map(
      [...listed].map(([pair, groups]) => [
        pair,
        groups.map((id) => (before.groups.has(id) ? id : 'new')).sort(),
      ]),
    )
  const marks = (pairs: ReadonlySet<Pair>) => new Map([...pairs].map((pair) => [pair, [true]]))
  return [
    ...changesOf('machine', state.machines, before.machines),
    ...changesOf('grant', named, before.grants),
    ...changesOf('listed', sorted(state.listed), sorted(before.listed)),
    ...changesOf('blacklisted', marks(state.blacklist), marks(before.blacklist)),
    ...changesOf('application', state.applications, before.applications),
    ...changesOf('transfer', state.transfers, before.transfers),
    ...changesOf('group', state.groups, before.groups),
  ]
    .sort()
    .join('\n')
}

function changesOf(
  what: string,
  map: ReadonlyMap<number | string, object>,
  before: ReadonlyMap<number | string, object>,
): string[] {
  const lines: string[] = []
  for (const [key, value] of map) {
    const was = before.get(key)
    if (was && isSame(value, was)) continue
    // A pair names itself; any other key is an id.
    const name = was || typeof key === 'string' ? key : 'new'
    lines.push(JSON.stringify([what, name, value]))
  }
  for (const key of before.keys()) if (!map.has(key)) lines.push(JSON.stringify([what, key, 'gone']))
  return lines
}

/** Whether two flat records, or lists, hold the same. */
function isSame(one: object, other: object): boolean {
  const [entries, others] = [Object.entries(one), other as Record<string, unknown>]
  return (
    entries.length === Object.keys(others).length && entries.every(([name, value]) => others[name] === value)
  )
}
