import { type AnswerOf, machines as contract, type Lang } from '@busbar/contract'
import type { EdgeLink, MachinePresence } from '../../edge-link/edge-link.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { listOwnApplications } from '../access/applications/index.ts'
import { type AccessPort, findNextAccessChange, noAccess } from '../access/index.ts'
import { listOpenAlarms } from '../alarms/index.ts'
import {
  digestOf,
  hereOf,
  type ListProjects,
  type UnchangedLists,
  updateKeyTag,
} from '../machine-lists/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { listStrips } from './connection-strips.ts'
import { generalAttributesRoutes } from './general-attributes-routes.ts'
import { listKeyValues } from './key-values-store.ts'
import { updateListEntry } from './list-entries-service.ts'
import { emptyStrip, readOverviews } from './list-overviews.ts'
import { addMachine, canBind } from './machines-service.ts'
import * as store from './machines-store.ts'
import {
  type ClockReading,
  type MachineNow,
  presentDetail,
  presentMachine,
  versionOf,
} from './machines-views.ts'
import { userGroupsRoutes } from './user-groups-routes.ts'

/** The parts that the machines' routes use. */
export interface MachinesDeps {
  readonly db: store.Db
  /** Connections of whole lists. */
  readonly lists: store.Db
  readonly bus: Bus
  readonly access: AccessPort
  readonly facts: Pick<Facts, 'record'>
  readonly link: Pick<EdgeLink, 'presence' | 'peekHere' | 'latestHeld'>
  readonly telemetry: Pick<Telemetry, 'hasTag' | 'listKeyTags' | 'sparks' | 'peekSparks'>
  readonly unchanged: UnchangedLists
  /** The machines among these whose controller is taken. */
  listBusy(machineIds: readonly number[], now: number): Promise<ReadonlySet<number>>
  readonly listProjects: ListProjects
}

const unknownCode = {
  exists: false,
  online: false,
  model: '',
  owner: 'none',
  checkType: contract.checkTypes.akeyAndBkey,
  canBind: false,
} as const

/** The list, adding a machine, its details and states. */
export function machinesRoutes(deps: MachinesDeps): Binding[] {
  const { db, lists, bus, access, facts, link, telemetry, unchanged } = deps

  /** The line a machine is on, or was on last. */
  async function connectionOf(machineId: number, seen: MachinePresence | undefined) {
    if (seen?.connection) return { ...seen.connection, endedAt: null }
    const row = await store.findLastConnection(db, machineId)
    if (!row) return null
    const { protocol, address } = row
    const endedAt = (row.ended_at ?? row.last_seen_at).getTime()
    return { protocol, address, startedAt: row.started_at.getTime(), endedAt }
  }

  function clockOf(row: store.EntryRow, seen: MachinePresence | undefined): ClockReading | null {
    if (seen?.clock) return seen.clock
    const { clock_offset_ms: offsetMs, clock_seen_at: at } = row
    return offsetMs === null || at === null ? null : { offsetMs, at: at.getTime() }
  }

  async function readList(userId: number, lang: Lang, now: number) {
    const [rows, applications, nextAccess] = await Promise.all([
      store.listEntries(lists, { userId, lang }, now),
      listOwnApplications(lists, userId, now),
      findNextAccessChange(lists, { userId }, now),
    ])
    const ids = rows.map((row) => row.id)
    const [rights, overviews, projects] = await Promise.all([
      access.list(userId, ids, now),
      readOverviews(deps, ids, { userId, lang, now }),
      deps.listProjects(lists, userId, ids),
    ])
    // Last, so that it is as it is now.
    const presence = await link.presence(ids)
    const list = rows.map((row) => {
      const right = rights.get(row.id) ?? noAccess
      const machineNow = nowOf(row, presence)
      const overview = overviews.of(row.id, right, machineNow.online)
      const beside = {
        application: applications.get(row.id) ?? null,
        projectId: projects.get(row.id)?.id ?? null,
      }
      return presentMachine(row, right, machineNow, overview, beside)
    })
    return {
      list,
      until: Math.min(overviews.until, nextAccess),
      digest: digestOf(hereOf(ids, presence), overviews.ended),
      digestNow() {
        const ended = overviews.endedNow()
        return ended && digestOf(link.peekHere(ids), ended)
      },
    }
  }

  async function statesOf(userId: number, named: Parameters<typeof store.listStates>[2], now: number) {
    const rows = await store.listStates(db, userId, named)
    const ids = rows.map((row) => row.id)
    const [busy, rights, presence] = await Promise.all([
      deps.listBusy(ids, now),
      access.list(userId, ids, now),
      link.presence(ids),
    ])
    // An ordinary user sees that it is there, not who works on it.
    const isBusy = (id: number) => busy.has(id) && (rights.get(id)?.rights.has('holder') ?? false)
    return rows.map((row) => presentState(row, nowOf(row, presence), isBusy(row.id)))
  }

  return [
    bind(contract.listMachines, async ({ version }, { user, lang, now }) => {
      const key = `${user.userId}/${lang}`
      if (version && (await unchanged.has(key, version, user))) return { notModified: true as const }
      const reading = await unchanged.begin(key)
      const { list, ...more } = await readList(user.userId, lang, now)
      const current = versionOf(list, lang)
      reading.remember({ ...more, version: current, machines: list.length })
      return version === current ? { notModified: true as const } : { version: current, list }
    }),

    bind(contract.addMachine, async (input, context) => {
      const added = await addMachine(db, { bus, access, facts }, input, context)
      return {
        machineID: added.machineId,
        limit_authority: added.level,
        state: contract.operationStates.idle,
      }
    }),

    bind(contract.getMachineDetail, async ({ machineID }, { user, lang, now }) => {
      const [row] = await store.listEntries(db, { userId: user.userId, lang }, now, machineID)
      if (!row) throw new Failure('403')
      const right = (await access.list(user.userId, [machineID], now)).get(machineID) ?? noAccess
      const presence = await link.presence([machineID])
      const seen = presence.get(machineID)
      const [keyValues, strips, alarms, connection] = await Promise.all([
        listKeyValues(db, telemetry, user.userId, [machineID]),
        listStrips(lists, [machineID], now),
        listOpenAlarms(db, machineID, now),
        connectionOf(machineID, seen),
      ])
      return presentDetail(row, right, nowOf(row, presence), {
        lang,
        at: now,
        keyTagId: keyValues.get(machineID)?.tag_id ?? null,
        strip24h: strips.of.get(machineID) ?? emptyStrip(),
        alarms,
        connection,
        clock: clockOf(row, seen),
      })
    }),

    bind(contract.getMachineState, async ({ machineCode }, context) => {
      const [own] = await statesOf(context.user.userId, { codes: [machineCode] }, context.now)
      if (own) return own
      await context.takeLimit()
      const machine = await store.findMachineByCode(db, machineCode)
      if (!machine) throw new Failure('04010102')
      return presentState(machine, nowOf(machine, await link.presence([machine.id])), false)
    }),

    bind(contract.checkScannedCode, async ({ machineCode }) => {
      const machine = await store.findMachineByCode(db, machineCode)
      if (!machine) return unknownCode
      return {
        exists: true,
        online: (await link.presence([machine.id])).get(machine.id)?.online === true,
        model: machine.model,
        owner: ownerOf(machine),
        checkType: machine.check_type,
        canBind: canBind(machine),
      }
    }),

    bind(contract.updateMachine, async (input, { user }) => ({
      state: await updateListEntry(db, user.userId, input),
    })),

    bind(contract.listMachineStatesByCode, ({ machineCodes }, { user, now }) =>
      statesOf(user.userId, { codes: machineCodes }, now),
    ),

    bind(contract.listMachineStates, ({ machineIDs }, { user, now }) =>
      statesOf(user.userId, { ids: machineIDs }, now),
    ),

    bind(contract.setKeyTag, async ({ machineID, tagId }, { user }) => {
      const isTheirs = await telemetry.hasTag(machineID, tagId)
      if (!isTheirs || !(await updateKeyTag(db, user.userId, machineID, tagId))) throw new Failure('404')
      return {}
    }),

    ...generalAttributesRoutes(deps),
    ...userGroupsRoutes(db),
  ]
}

function nowOf(
  { id, last_seen_at }: { id: number; last_seen_at: Date | null },
  presence: ReadonlyMap<number, MachinePresence>,
): MachineNow {
  const seen = presence.get(id)
  return { online: seen?.online === true, lastSeen: seen?.lastSeenAt ?? last_seen_at?.getTime() ?? null }
}

type Owner = AnswerOf<typeof contract.checkScannedCode>['owner']

function ownerOf(machine: { owner_user_id: number | null; owner_enterprise_id: number | null }): Owner {
  if (machine.owner_user_id !== null) return 'person'
  return machine.owner_enterprise_id === null ? 'none' : 'enterprise'
}

function presentState(machine: { code: string; cloud_service: boolean }, now: MachineNow, busy: boolean) {
  return {
    machineCode: machine.code,
    online: now.online,
    cloudService: machine.cloud_service,
    lastSeen: now.lastSeen,
    busy,
  }
}
