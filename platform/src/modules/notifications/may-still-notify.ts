import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import type { AccessPort } from '../access/index.ts'
import { listenersOf } from './audience.ts'
import { listMachines, listRecipients } from './recipients.ts'
import { listChosenVisitors } from './settings-store.ts'

interface Deps {
  readonly db: Database
  readonly access: Pick<AccessPort, 'listAlarmAudience' | 'listPairs'>
  now(): number
}

interface Row {
  readonly machine_id: number
  readonly user_id: number | null
  readonly contact_id: number | null
}

/**
 * Whether the person or contact of an SMS or e-mail may be written to now. Messages from before the machine's present
 * owner are not sent to anybody.
 */
export async function mayStillNotify({ db, access, now }: Deps, notificationId: number): Promise<boolean> {
  const { rows } = await sql<Row>`
    select note.machine_id, note.user_id, note.contact_id
    from notifications note join machines on machines.id = note.machine_id
    where note.id = ${notificationId}
      and (machines.owned_since is null or note.created_at >= machines.owned_since)`.execute(db)
  const [row] = rows
  if (!row) return false
  const { machine_id: machineId, user_id: userId, contact_id: contactId } = row
  if (userId === null) {
    const [machines, pairs] = await Promise.all([
      listMachines(db, [machineId]),
      access.listAlarmAudience([machineId], now()),
    ])
    const recipients = await listRecipients(db, machines, pairs, now())
    return recipients.some((one) => one.contactId === contactId)
  }
  const [pairs, chosen] = await Promise.all([
    access.listPairs([{ userId, machineId }], now()),
    listChosenVisitors(db, [machineId]),
  ])
  return listenersOf(pairs, chosen).some(({ isWritten }) => isWritten)
}
