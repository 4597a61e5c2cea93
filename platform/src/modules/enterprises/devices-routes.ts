import {
  type AnswerOf,
  enterprises as contract,
  type InputOf,
  type Lang,
  type visits,
} from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { type Binding, bind, type CallContext, type SignedIn } from '../../kernel/http/bind.ts'
import { callerOf } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type AccessPort, findNextAccessChange, noAccess } from '../access/index.ts'
import { countOpenAlarms } from '../alarms/index.ts'
import { digestOf, hereOf, type ListProjects, type UnchangedLists } from '../machine-lists/index.ts'
import { type OverviewSources, readOverviews } from '../machines/index.ts'
import * as service from './devices-service.ts'
import { type DeviceFilter, type DeviceRow, listDevices } from './devices-store.ts'
import {
  type DeviceNow,
  type DeviceValues,
  presentAttributes,
  presentBase,
  presentDevice,
  presentMachine,
  versionOf,
} from './devices-views.ts'
import { presentTeamPerson } from './enterprises-views.ts'
import * as groups from './groups-service.ts'
import { listGroups } from './groups-store.ts'
import { listTeamPeople } from './members-store.ts'
import type { SpaceDeps } from './space-change.ts'

/** The parts that lists of devices use. */
export interface DevicesDeps extends SpaceDeps, OverviewSources {
  readonly access: AccessPort
  readonly link: Pick<EdgeLink, 'presence' | 'peekHere' | 'latestHeld'>
  readonly unchanged: UnchangedLists
  readonly listProjects: ListProjects
  /** The address of a machine's own page, for a console with this Host header. */
  visitUrlOf(machineCode: string, consoleHost: string): string
  openVisit(
    input: InputOf<typeof visits.openVisit>,
    context: CallContext & { readonly user: SignedIn },
  ): Promise<AnswerOf<typeof visits.openVisit>>
}

const kindOf = (type: contract.DeviceType) =>
  type === contract.deviceTypes.maintenance ? ('maintained' as const) : ('owned' as const)

/** An enterprise's own devices and those it maintains, their groups, and entering them. */
export function devicesRoutes(deps: DevicesDeps): Binding[] {
  const { db, access, link, unchanged } = deps

  async function listNow(
    eid: number,
    filter: DeviceFilter,
    page: { page: number; pageSize: number },
    caller: { userId: number; lang: Lang; now: number },
  ): Promise<{ devices: DeviceNow[]; total: number; here: Uint8Array }> {
    const from = filter.machineId === undefined ? deps.lists : db
    const rows = await listDevices(from, eid, filter, caller, {
      offset: (page.page - 1) * page.pageSize,
      count: page.pageSize,
      now: new Date(caller.now),
    })
    const ids = rows.map((row) => row.machine_id)
    const [rights, presence, projects] = await Promise.all([
      access.list(caller.userId, ids, caller.now),
      link.presence(ids),
      deps.listProjects(from, caller.userId, ids),
    ])
    const nowOf = (row: DeviceRow): DeviceNow => ({
      eid,
      row,
      access: rights.get(row.machine_id) ?? noAccess,
      online: presence.get(row.machine_id)?.online === true,
      lastSeen: presence.get(row.machine_id)?.lastSeenAt ?? row.last_seen_at?.getTime() ?? null,
      project: projects.get(row.machine_id)?.name ?? '',
    })
    return { devices: rows.map(nowOf), total: rows[0]?.total ?? 0, here: hereOf(ids, presence) }
  }

  async function findNow(eid: number, machineId: number, context: CallContext & { user: SignedIn }) {
    const caller = { userId: context.user.userId, lang: context.lang, now: context.now }
    const { devices } = await listNow(eid, { machineId }, { page: 1, pageSize: 1 }, caller)
    const [device] = devices
    // Removed since the right was checked.
    if (!device) throw new Failure('403')
    return device
  }

  /** The live values of the devices in a list, as the caller may see them. */
  async function valuesOf(devices: readonly DeviceNow[], context: CallContext & { user: SignedIn }) {
    const ids = devices.map(({ row }) => row.machine_id)
    const caller = { userId: context.user.userId, lang: context.lang, now: context.now }
    const [overviews, alarms] = await Promise.all([
      readOverviews(deps, ids, caller),
      countOpenAlarms(deps.lists, ids, new Date(caller.now)),
    ])
    const of = ({ row, access: right, online }: DeviceNow): DeviceValues => ({
      alarms: alarms.get(row.machine_id),
      overview: overviews.of(row.machine_id, right, online),
    })
    return { ...overviews, of }
  }

  const present = (context: CallContext) => (device: DeviceNow, values: DeviceValues) =>
    presentMachine(device, values, (code) => deps.visitUrlOf(code, context.host))

  interface ListInput {
    readonly eid: number
    readonly page: number
    readonly pageSize: number
    readonly version?: string | undefined
  }
  type ListContext = CallContext & { user: SignedIn }

  /** A list read anew, and its parts from memory. */
  interface ListRead<Item> {
    readonly list: readonly Item[]
    readonly until: number
    readonly remembered: readonly Float64Array[]
    rememberedNow(): readonly Float64Array[] | undefined
  }

  /** The list, or that it is still the one the caller has. */
  async function answerList<Item extends object>(
    input: ListInput,
    filter: DeviceFilter,
    context: ListContext,
    { form, read }: { form: string; read: (devices: readonly DeviceNow[]) => Promise<ListRead<Item>> },
  ) {
    const { eid, page, pageSize } = input
    const caller = { userId: context.user.userId, lang: context.lang, now: context.now }
    const reader = { userId: caller.userId, enterpriseId: eid }
    // Brands change the addresses of machines' pages.
    const address = () => deps.visitUrlOf('0', context.host)
    const key = JSON.stringify([form, reader, filter, page, pageSize, context.host, context.lang])
    if (input.version && (await unchanged.has(key, input.version, reader)))
      return { notModified: true as const }
    const reading = await unchanged.begin(key)
    const addressThen = address()
    const [{ devices, total, here }, nextAccess] = await Promise.all([
      listNow(eid, filter, input, caller),
      findNextAccessChange(deps.lists, reader, caller.now),
    ])
    const { list, until, remembered, rememberedNow } = await read(devices)
    const answer = { list: [...list], total, page, pageSize }
    const version = versionOf(answer)
    const ids = devices.map(({ row }) => row.machine_id)
    reading.remember({
      version,
      until: Math.min(until, nextAccess),
      machines: ids.length,
      digest: digestOf(here, addressThen, ...remembered),
      digestNow() {
        const now = rememberedNow()
        return now && digestOf(link.peekHere(ids), address(), ...now)
      },
    })
    return input.version === version ? { notModified: true as const } : { version, ...answer }
  }

  const filterOf = (input: { groupId: number | 'ALL'; type: contract.DeviceType }): DeviceFilter => ({
    kind: kindOf(input.type),
    ...(input.groupId === 'ALL' ? {} : { groupId: input.groupId }),
  })

  async function listPersonnel(eid: number, deviceId: number, kind: contract.TeamKind, now: number) {
    const people = (await listTeamPeople(db, eid, { kind, machineId: deviceId })).map(presentTeamPerson)
    const holders = await Promise.all(people.map(({ userId }) => access.list(userId, [deviceId], now)))
    return people.map((person, place) => ({
      ...person,
      limit_authority: holders[place]?.get(deviceId)?.level ?? 0,
    }))
  }

  return [
    bind(contract.listEnterpriseDevices, (input, context) =>
      answerList(input, filterOf(input), context, {
        form: 'device',
        read: async (devices) => ({
          list: devices.map(presentDevice),
          until: Number.POSITIVE_INFINITY,
          remembered: [],
          rememberedNow: () => [],
        }),
      }),
    ),

    bind(contract.listEnterpriseMachines, (input, context) => {
      const filter = { ...filterOf(input), search: input.search.trim() }
      return answerList(input, filter, context, {
        form: 'machine',
        async read(devices) {
          const values = await valuesOf(devices, context)
          return {
            list: devices.map((device) => present(context)(device, values.of(device))),
            until: values.until,
            remembered: [values.ended],
            rememberedNow() {
              const ended = values.endedNow()
              return ended && [ended]
            },
          }
        },
      })
    }),

    bind(contract.getEnterpriseMachine, async ({ eid, deviceId }, context) => {
      const device = await findNow(eid, deviceId, context)
      const values = await valuesOf([device], context)
      return { ...present(context)(device, values.of(device)), attributes: presentAttributes(device) }
    }),

    bind(contract.getEnterpriseMachineBase, async ({ eid, deviceId }, context) =>
      presentBase(await findNow(eid, deviceId, context)),
    ),

    bind(contract.listMachinePersonnel, ({ eid, deviceId }, { now }) =>
      listPersonnel(eid, deviceId, 'manage', now),
    ),

    bind(contract.listMachineMaintenancePersonnel, async ({ eid, deviceId }, context) => {
      const [people, { row }] = await Promise.all([
        listPersonnel(eid, deviceId, 'maintain', context.now),
        findNow(eid, deviceId, context),
      ])
      const from = row.start_at?.getTime() ?? null
      const span = { from, until: from && (row.stop_at?.getTime() ?? contract.noEnd) }
      return people.map((person) => ({ ...person, ...span }))
    }),

    bind(contract.updateMaintenanceRemark, async ({ eid, deviceId, remark }, context) => {
      await service.updateRemark(deps, callerOf(context), { eid, machineId: deviceId, remark })
      return {}
    }),

    bind(contract.listGroupsOfType, ({ eid, type }) => listGroups(db, eid, kindOf(type))),

    bind(contract.listGroups, ({ eid }) => listGroups(db, eid)),

    bind(contract.createGroup, async ({ eid, name }, context) => ({
      id: await groups.createGroup(deps, callerOf(context), eid, name),
    })),

    bind(contract.updateGroup, async (input, context) => {
      await groups.updateGroup(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.removeGroup, async ({ eid, id }, context) => {
      await groups.removeGroup(deps, callerOf(context), eid, id)
      return {}
    }),

    bind(contract.addEnterpriseMachine, async (input, context) => {
      return { machineId: await service.addDevice(deps, callerOf(context), input) }
    }),

    bind(contract.updateEnterpriseMachine, async (input, context) => {
      await service.updateDevice(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.removeEnterpriseMachine, async ({ eid, id }, context) => {
      await service.removeDevice(deps, callerOf(context), eid, id)
      return {}
    }),

    bind(contract.openEnterpriseVisit, ({ deviceId, terminalID }, context) =>
      deps.openVisit({ machineID: deviceId, terminalID, target: 'page', path: '/', mode: 'rw' }, context),
    ),

    bind(contract.openEnterpriseVisitByCode, async ({ machineCode, terminalID }, context) => {
      const machineID = await access.machineOfCode(machineCode)
      if (machineID === undefined) throw new Failure('403')
      return deps.openVisit({ machineID, terminalID, target: 'page', path: '/', mode: 'rw' }, context)
    }),
  ]
}
