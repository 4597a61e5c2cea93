import type { machines } from '@busbar/contract'
import type { Transaction } from 'kysely'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { textOf } from '../alarms/index.ts'
import type { DigestWords } from './alarm-texts.ts'
import { skipReason } from './decide.ts'
import * as digests from './digests-store.ts'
import * as store from './notifications-store.ts'
import type { NotifyDeps } from './notify-alarms.ts'
import { listMachines, listRecipients, type Recipient, type ToldMachine } from './recipients.ts'
import { type DigestSending, sendOut } from './send-out.ts'

/** Windows whose digests are sent in one transaction. */
const windowsAtOnce = 100
const linesMax = 10
/** A window without waiting notifications is obsolete after this time. */
const windowKeptMs = 60 * 60_000
const windowsRemovedMax = 5_000
const severities: readonly machines.AlarmLevel[] = ['critical', 'major', 'minor', 'info']

type DigestDeps = NotifyDeps & { readonly db: Database }

/** Sends the digests whose time has come; several processes may do so at once. */
export async function sendDigests(deps: DigestDeps): Promise<void> {
  for (;;) {
    const count = await withTransaction(deps.db, (trx) => sendSome(deps, trx))
    if (count < windowsAtOnce) break
  }
  await digests.removeOldWindows(deps.db, new Date(deps.now() - windowKeptMs), windowsRemovedMax)
}

/** A digest that is due, with its alarms and its recipient; undefined: a person without a right now. */
interface Due {
  readonly window: store.NamedWindow
  readonly rows: readonly digests.WaitingRow[]
  readonly recipient: Recipient | undefined
  readonly machine: ToldMachine | undefined
}

async function sendSome(deps: DigestDeps, trx: Transaction<DB>): Promise<number> {
  const now = deps.now()
  const at = new Date(now)
  const due = await readDue(deps, trx, now)
  if (due.length === 0) return 0
  const used = await digests.countSent(
    trx,
    due.flatMap(({ recipient, window }) => (recipient ? [{ recipient, channel: window.channel }] : [])),
    at,
  )
  const sendings: DigestSending[] = []
  const rowsOf = new Map<number, readonly number[]>()
  for (const one of due) {
    const ids = one.rows.map(({ id }) => id)
    const [bearer] = one.rows
    if (!bearer) continue
    const { recipient, machine, window } = one
    const worst = worstOf(one.rows)
    const reason =
      recipient?.isWritten && machine ? skipReasonNow(recipient, window.channel, worst, used) : 'noRight'
    if (reason || !recipient || !machine) {
      await store.skip(trx, ids, reason ?? 'noRight', at)
      continue
    }
    used.add(recipient, window.channel)
    rowsOf.set(bearer.id, ids)
    sendings.push({
      notificationId: bearer.id,
      alarmId: bearer.alarm_id,
      machine,
      channel: window.channel as 'sms' | 'email',
      recipient,
      digest: digestOf(one.rows, recipient),
    })
  }
  await digests.join(trx, rowsOf, at)
  const unpaid = await sendOut(deps, trx, sendings, now)
  for (const id of unpaid) await store.skip(trx, rowsOf.get(id) ?? [], 'noStock', at)
  const sent = new Set(
    sendings
      .filter(({ notificationId: id }) => !unpaid.has(id))
      .map((one) => store.windowKey(one.recipient, one.channel)),
  )
  for (const { window } of due) if (sent.has(store.windowKey(window, window.channel))) window.openedAt = now
  await store.saveWindows(
    trx,
    due.map(({ window }) => window),
  )
  return due.length
}

async function readDue(deps: DigestDeps, trx: Transaction<DB>, now: number): Promise<Due[]> {
  const windows = await digests.takeDue(trx, new Date(now), windowsAtOnce)
  if (windows.length === 0) return []
  const machineIds = [...new Set(windows.map(({ machineId }) => machineId))]
  const access = deps.access.on(trx)
  const [machines, pairs] = await Promise.all([
    listMachines(trx, machineIds),
    access.listAlarmAudience(machineIds, now),
  ])
  const recipients = new Map(
    (await listRecipients(trx, machines, pairs, now)).map((one) => [store.windowKey(one, ''), one]),
  )
  const waiting = new Map<string, digests.WaitingRow[]>()
  for (const row of await digests.listWaiting(trx, windows)) {
    const of = { userId: row.user_id, contactId: row.contact_id, machineId: row.machine_id }
    const key = store.windowKey(of, row.channel)
    waiting.set(key, [...(waiting.get(key) ?? []), row])
  }
  return windows.map((window) => ({
    window,
    rows: waiting.get(store.windowKey(window, window.channel)) ?? [],
    recipient: recipients.get(store.windowKey(window, '')),
    machine: machines.get(window.machineId),
  }))
}

const worstOf = (rows: readonly digests.WaitingRow[]): machines.AlarmLevel =>
  severities.find((level) => rows.some((row) => row.level === level)) ?? 'info'

function skipReasonNow(
  recipient: Recipient,
  channel: string,
  worst: machines.AlarmLevel,
  used: digests.Used,
) {
  const isSms = channel === 'sms'
  const gate = {
    cover: undefined,
    isConfirmed: false,
    isOn: recipient.on[isSms ? 'sms' : 'email'],
    address: isSms ? recipient.phone : recipient.email,
    isQuiet: recipient.isQuiet,
  }
  const reason = skipReason(gate, worst)
  if (reason) return reason
  const { day, machineDay } = used.of(recipient, channel)
  return day >= recipient.dailyMax || machineDay >= recipient.machineDailyMax ? 'limited' : undefined
}

function digestOf(rows: readonly digests.WaitingRow[], recipient: Recipient): DigestWords {
  const lines = new Map<string, { text: string; level: machines.AlarmLevel; count: number }>()
  for (const row of rows) {
    const text = textOf(row, { lang: recipient.lang })
    const key = `${row.level} ${text}`
    const line = lines.get(key) ?? { text, level: row.level, count: 0 }
    lines.set(key, { ...line, count: line.count + 1 })
  }
  const sorted = [...lines.values()].sort(
    (a, b) => severities.indexOf(a.level) - severities.indexOf(b.level) || b.count - a.count,
  )
  return {
    machine: recipient.machineName,
    total: rows.length,
    worst: worstOf(rows),
    lines: sorted.slice(0, linesMax),
    more: sorted.slice(linesMax).reduce((sum, { count }) => sum + count, 0),
  }
}
