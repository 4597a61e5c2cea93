import type { notifications as contract, InputOf, Lang } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { maskEmail, maskPhone } from '../../kernel/mask-account.ts'
import { type AccessPort, maySet } from '../access/index.ts'
import { mainBrandId } from '../brands/index.ts'
import type { EnterpriseGuards } from '../enterprises/index.ts'
import { findStock } from '../sms-stock/index.ts'
import { findZone } from '../spaces/index.ts'
import { type Listener, listenersOf } from './audience.ts'
import * as machinesStore from './machine-settings-store.ts'
import { countSegments, findDayBegin } from './records-store.ts'
import * as store from './settings-store.ts'

export interface SettingsDeps {
  readonly db: Database
  readonly access: Pick<
    AccessPort,
    'list' | 'listAlarmMachines' | 'listAlarmAudience' | 'listColleagues' | 'has'
  >
  readonly guards: Pick<EnterpriseGuards, 'hasEnterpriseRight'>
  /** The signature of a brand's SMS. */
  signatureOf(brandId: number): string
}

/** A person who asks, and when. */
export interface Asker {
  readonly userId: number
  readonly lang: Lang
  readonly now: number
}

const flagOf = (value: boolean): 0 | 1 => (value ? 1 : 0)
const isSet = (flag: 0 | 1 | undefined, before: boolean): boolean =>
  flag === undefined ? before : flag === 1

async function presentStock(db: Database, owner: Parameters<typeof findStock>[1]) {
  const stock = await findStock(db, owner)
  return { stock: stock ?? 0, hadStock: stock !== undefined }
}

/** A person's settings of notifications about alarms; `eid`: with the stock that this enterprise allocated to them. */
export async function getPersonConfig(
  { db, guards, signatureOf }: SettingsDeps,
  { userId, lang, now }: Asker,
  eid: number | undefined,
): Promise<contract.UserMsgConfig> {
  if (eid !== undefined && !(await guards.hasEnterpriseRight(userId, eid, 'member'))) throw new Failure('403')
  const own = (await store.listPersonSettings(db, [userId])).get(userId) ?? store.usualSettings
  const today = await findDayBegin(db, await findZone(db, { userId }, lang), new Date(now))
  return {
    userSmsFlag: flagOf(own.sms),
    userEmailFlag: flagOf(own.email),
    userSmsDailyAmount: own.smsDaily,
    machineSmsDailyAmount: own.machineSmsDaily,
    eid: eid ?? null,
    ...(await presentStock(db, { userId, ...(eid !== undefined && { enterpriseId: eid }) })),
    usedToday: await countSegments(db, { userId }, today),
    quietFrom: own.quietFrom,
    quietTo: own.quietTo,
    voice: flagOf(own.voice),
    browser: flagOf(own.browser),
    signature: signatureOf((await machinesStore.findPersonBrand(db, userId)) ?? mainBrandId),
  }
}

/** Changes a person's settings of notifications about alarms; omitted ones stay. */
export async function setPersonConfig(
  deps: SettingsDeps,
  asker: Asker,
  request: InputOf<typeof contract.setUserMsgConfig>,
): Promise<contract.UserMsgConfig> {
  const { db } = deps
  const before = (await store.listPersonSettings(db, [asker.userId])).get(asker.userId) ?? store.usualSettings
  await store.savePersonSettings(db, asker.userId, {
    sms: isSet(request.userSmsFlag, before.sms),
    email: isSet(request.userEmailFlag, before.email),
    smsDaily: request.userSmsDailyAmount ?? before.smsDaily,
    machineSmsDaily: request.machineSmsDailyAmount ?? before.machineSmsDaily,
    quietFrom: request.quietFrom ?? before.quietFrom,
    quietTo: request.quietTo ?? before.quietTo,
    voice: isSet(request.voice, before.voice),
    browser: isSet(request.browser, before.browser),
  })
  return getPersonConfig(deps, asker, request.eid)
}

/** The settings of notifications about the alarms of an enterprise's devices. */
export async function getSpaceConfig(
  db: Database,
  eid: number,
  now: number,
): Promise<contract.EnterpriseMsgConfig> {
  const own = (await store.listSpaceSettings(db, [eid])).get(eid) ?? store.usualSettings
  const today = await findDayBegin(db, await findZone(db, { enterpriseId: eid }), new Date(now))
  return {
    smsFlag: flagOf(own.sms),
    emailFlag: flagOf(own.email),
    smsDailyAmount: own.smsDaily,
    smsMachineDailyAmount: own.machineSmsDaily,
    ...(await presentStock(db, { enterpriseId: eid })),
    usedToday: await countSegments(db, { eid }, today),
    quietFrom: own.quietFrom,
    quietTo: own.quietTo,
  }
}

/** Changes the settings of notifications about the alarms of an enterprise's devices; omitted ones stay. */
export async function setSpaceConfig(
  db: Database,
  { eid, ...request }: InputOf<typeof contract.setEnterpriseMsgConfig>,
  now: number,
): Promise<contract.EnterpriseMsgConfig> {
  const before = (await store.listSpaceSettings(db, [eid])).get(eid) ?? store.usualSettings
  await store.saveSpaceSettings(db, eid, {
    sms: isSet(request.smsFlag, before.sms),
    email: isSet(request.emailFlag, before.email),
    smsDaily: request.smsDailyAmount ?? before.smsDaily,
    machineSmsDaily: request.smsMachineDailyAmount ?? before.machineSmsDaily,
    quietFrom: request.quietFrom ?? before.quietFrom,
    quietTo: request.quietTo ?? before.quietTo,
  })
  return getSpaceConfig(db, eid, now)
}

interface MachinesRequest {
  readonly blur?: string | undefined
  readonly groupId?: number | undefined
  readonly page: number
  readonly pageSize: number
}

/** Machines of which a person is a key, with their settings. */
export async function listPersonalMachines(
  deps: SettingsDeps,
  { userId, now }: Asker,
  { eid, ...request }: MachinesRequest & { readonly eid?: number | undefined },
) {
  const seen = await deps.access.listAlarmMachines(userId, { eid, groupId: request.groupId }, now)
  const ids = seen.map(({ machineId }) => machineId)
  const rights = await deps.access.list(userId, ids, now)
  const held = ids.filter((id) => rights.get(id)?.rights.has('bkey+'))
  const maySetOf = (machineId: number) => maySet(rights.get(machineId))
  return presentMachines(deps, now, { userId, eid, machineIds: held }, { ...request, maySetOf })
}

/** Machines that an enterprise owns, with their settings. */
export async function listSpaceMachines(
  deps: SettingsDeps,
  { userId, now }: Asker,
  { eid, ...request }: MachinesRequest & { readonly eid: number },
) {
  const mayBeSet = await deps.guards.hasEnterpriseRight(userId, eid, 'sms')
  const maySetOf = () => mayBeSet
  return presentMachines(deps, now, { userId, eid, groupId: request.groupId }, { ...request, maySetOf })
}

async function presentMachines(
  { db, access }: SettingsDeps,
  now: number,
  space: machinesStore.MachinesOf,
  { blur, page, pageSize, maySetOf }: MachinesRequest & { maySetOf(machineId: number): boolean },
) {
  const slice = { offset: (page - 1) * pageSize, limit: pageSize }
  const { rows, total } = await machinesStore.listMachines(db, space, blur, slice)
  const ids = rows.map(({ id }) => id)
  const [settings, chosen, pairs, contacts] = await Promise.all([
    store.listMachineSettings(db, ids),
    store.listChosenVisitors(db, ids),
    access.listAlarmAudience(ids, now),
    machinesStore.countContacts(db, ids),
  ])
  const listeners = listenersOf(pairs, chosen)
  const people = await machinesStore.listPeople(
    db,
    listeners.map(({ userId }) => userId),
  )
  const list = rows.map((row): contract.MachineMsgConfig => {
    const own = listeners.filter(({ machineId }) => machineId === row.id)
    const { sms, email, linkInSms } = settings.get(row.id) ?? store.usualMachineSettings
    return {
      machineId: row.id,
      machineName: row.name,
      machineCode: row.code,
      smsFlag: flagOf(sms),
      emailFlag: flagOf(email),
      linkFlag: flagOf(linkInSms),
      maySet: maySetOf(row.id),
      recipients: own.filter(({ isWritten }) => isWritten).length + (contacts.get(row.id) ?? 0),
      sharedAccounts: own.map((listener) => presentListener(listener, people)),
    }
  })
  return { list, total, page, pageSize }
}

function presentListener(
  { userId, role, isWritten }: Listener,
  people: Awaited<ReturnType<typeof machinesStore.listPeople>>,
) {
  const person = people.get(userId)
  const accountMasked = person?.email ? maskEmail(person.email) : maskPhone(person?.phone ?? null)
  return { userId, name: person?.name ?? '', accountMasked, role, told: isWritten }
}
