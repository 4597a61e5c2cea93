import { enterprises as contract, memberRights } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { type EntryRow, listEntries } from '../audit/index.ts'
import { findInSpace, listMachineNames, listPeople } from './audit-store.ts'
import type { Db } from './spaces-store.ts'

/** The people, machines and rights that an entry of an enterprise can name. */
interface Detail {
  readonly userId?: number
  readonly to?: number | null
  readonly memberIds?: readonly number[] | null
  readonly machineIds?: readonly number[] | null
  readonly role?: string
  readonly rights?: readonly string[]
}

const detailOf = ({ detail }: EntryRow) => detail as Detail
const isOnMachine = ({ action }: EntryRow) => /^(enterprise\.)?(machine|maintenance)\./.test(action)
const isOnPerson = ({ action }: EntryRow) => /^enterprise\.(member|sms)\./.test(action)

/** The people of an entry beside who did it, the one it was done to first. */
function peopleIn(row: EntryRow): number[] {
  const { userId, to, memberIds } = detailOf(row)
  const target = isOnPerson(row) ? Number(row.target) : undefined
  const named = [target, userId, to, ...(memberIds ?? [])]
  return [...new Set(named.filter((id) => typeof id === 'number' && Number.isSafeInteger(id)))] as number[]
}

/** Puts names into entries. People and machines that are gone have none. */
async function presentEntries(
  db: Db,
  eid: number,
  rows: readonly EntryRow[],
): Promise<contract.EnterpriseAuditEntry[]> {
  const userIds = rows.flatMap((row) => [...peopleIn(row), ...(row.actor_user_id ? [row.actor_user_id] : [])])
  const [people, machines] = await Promise.all([
    listPeople(db, eid, userIds),
    listMachineNames(db, eid, {
      ids: rows.flatMap((row) => detailOf(row).machineIds ?? []),
      codes: rows.filter(isOnMachine).map(({ target }) => target),
    }),
  ])
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const members = new Set(people.filter(({ isMember }) => isMember).map(({ id }) => id))
  const namesByCode = new Map(machines.map(({ code, name }) => [code, name]))
  const namesById = new Map(machines.map(({ id, name }) => [id, name]))

  return rows.map((row) => {
    const { machineIds, role = '', rights = [] } = detailOf(row)
    const named = peopleIn(row).flatMap((id) => names.get(id) || [])
    const [person = '', ...others] = named
    const machineCode = isOnMachine(row) ? row.target : ''
    const thing = row.target === String(eid) ? '' : row.target
    const actor = row.actor_user_id
    // Operators act as the platform (rules/enterprises.md: audit log of an enterprise).
    const isPlatform = actor === null || (row.is_operator === true && !members.has(actor))
    return {
      id: row.id,
      at: row.at.getTime(),
      actor: isPlatform ? '' : (names.get(actor) ?? ''),
      actorUserId: isPlatform ? null : actor,
      action: row.action,
      target: machineCode ? (namesByCode.get(machineCode) ?? machineCode) : isOnPerson(row) ? person : thing,
      machineCode,
      people: isOnPerson(row) ? others : named,
      machines: (machineIds ?? []).flatMap((id) => namesById.get(id) ?? []),
      role,
      rights: memberRights.filter((right) => rights.includes(right)),
    }
  })
}

/** The audit log of an enterprise, for its owners and administrators. */
export function auditRoutes({ lists }: { readonly lists: Db }): Binding[] {
  return [
    bind(contract.listEnterpriseAudit, async ({ eid, page, pageSize, search, sort, order, from, to }) => {
      const filter = {
        about: { eid },
        isOldestFirst: sort === 'at' && order === 'asc',
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        ...(search ? { search, among: await findInSpace(lists, eid, search) } : {}),
      }
      const { rows, total } = await listEntries(lists, filter, {
        offset: (page - 1) * pageSize,
        count: pageSize,
        countedMax: contract.enterpriseAuditCountedMax,
      })
      return { list: await presentEntries(lists, eid, rows), total, page, pageSize }
    }),
  ]
}
