import { z } from 'zod'
import { roles } from './access.ts'
import {
  groupName,
  groupOrAll,
  id,
  instant,
  machineCode,
  machineName,
  nothing,
  page,
  pageSize,
  placeFields,
  remark,
  terminalId,
} from './fields.ts'
import { limits } from './limits.ts'
import { alarmLevels, generalAttributes, machineOverview } from './machines.ts'
import { route } from './route.ts'
import { openVisit } from './visits.ts'

/** Devices the enterprise owns, and customers' devices it maintains. */
export const deviceTypes = { enterprise: 1, maintenance: 2 } as const
export type DeviceType = (typeof deviceTypes)[keyof typeof deviceTypes]
const deviceType = z
  .literal([deviceTypes.enterprise, deviceTypes.maintenance])
  .default(deviceTypes.enterprise)

const version = z.string().max(128).optional().describe('Of the list at hand; any other text gets the whole')
const standard = { page, pageSize: pageSize(limits.machinesPerList) }

const listOf = <T extends z.ZodType>(row: T) =>
  z.union([
    z.object({ version: z.string(), list: z.array(row), total: z.int(), page: z.int(), pageSize: z.int() }),
    z.object({ notModified: z.literal(true) }),
  ])

const device = z.object({
  eid: id,
  deviceId: id,
  machineId: id,
  deviceName: z.string(),
  pn: machineCode,
  checkType: z.int(),
  machineRemark: z.string(),
  hasPasswd: z.boolean(),
  project: z.string(),
  projectImage: z.string(),
  location: z.string(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  online: z.boolean(),
  limitAuthority: z.int().min(0).max(3),
  version: z.string().describe('The device’s software'),
})
export type EnterpriseDevice = z.output<typeof device>

/** The program `connect` needs id, name, code and state of it; places and remarks come with them. */
export const listEnterpriseDevices = route({
  method: 'POST',
  path: '/api/enterprises/enterpriseDeviceList',
  who: { ent: 'member', eid: 'eid' },
  programs: ['connect'],
  load: 'list',
  title: { cn: '企业设备列表', en: 'List an enterprise’s devices' },
  request: z.object({ eid: id, ...standard, groupId: groupOrAll, version, type: deviceType }),
  answer: listOf(device),
  errors: [],
})

const machine = z.object({
  eid: id,
  extendId: id.describe('The enterprise’s own record of the device'),
  deviceid: id,
  machineName: z.string(),
  machineCode,
  machineType: z.string(),
  remark: z.string(),
  hasPasswd: z.boolean(),
  project: z.string(),
  address: z.string(),
  ...placeFields,
  iccid_num: z.string(),
  ip: z.string(),
  model: z.string(),
  online: z.boolean(),
  maintainstart: instant.nullable().describe('Of the window that is open, or opens next'),
  maintainstop: z
    .union([z.literal(-1), instant])
    .nullable()
    .describe('-1: no end, a service contract'),
  maintainState: z.enum(['', 'accepted', 'suspended']).describe('Empty: no window open or to come'),
  registtime: instant,
  run_platform: z.string(),
  testUrl: z.string().describe('Empty where the caller may not enter'),
  groupId: id.nullable(),
  groupName: z.string(),
  limitAuthority: z.int().min(0).max(3),
  mayEnter: z.boolean(),
  lastSeen: instant.nullable(),
  projectImage: z.string().describe('Its own picture; empty: drawn as its type'),
  checkType: z.int(),
  cloudService: z.boolean(),
  openAlarms: z.int(),
  worstAlarm: z.enum(alarmLevels).nullable().describe('Worst level among open alarms'),
  overview: machineOverview.nullable().describe('Null where the caller may not see values'),
  role: z.enum(roles),
  readOnly: z.boolean().describe('The caller is read-only'),
})
export type EnterpriseMachine = z.output<typeof machine>

export const listEnterpriseMachines = route({
  method: 'POST',
  path: '/eapi/ent/c/manager/device/group/devicelist',
  who: { ent: 'member', eid: 'eid' },
  load: 'list',
  title: { cn: '企业设备明细列表', en: 'List an enterprise’s devices with all columns' },
  request: z.object({
    eid: id,
    ...standard,
    groupId: groupOrAll,
    search: z.string().max(64).default(''),
    version,
    type: deviceType,
  }),
  answer: listOf(machine),
  errors: [],
})

/** A device of the enterprise that the request names; foreign and missing ones answer alike. */
const namedDevice = z.object({ eid: id, deviceId: id })
const ofDevice = { ent: 'member', eid: 'eid', machine: 'deviceId' } as const

export const getEnterpriseMachine = route({
  method: 'POST',
  path: '/api/enterprises/machineInfo',
  who: ofDevice,
  title: { cn: '企业设备详情', en: 'Get an enterprise device' },
  request: namedDevice,
  answer: machine.extend({ attributes: z.record(z.string(), z.string()) }),
  errors: [],
})

export const getEnterpriseMachineBase = route({
  method: 'POST',
  path: '/api/enterprises/machineBaseInfo',
  who: ofDevice,
  title: { cn: '企业设备基本信息', en: 'Get the basic data of an enterprise device' },
  request: namedDevice,
  answer: generalAttributes.omit({ deviceId: true, remark: true }),
  errors: [],
})

const person = z.object({
  userId: id,
  name: z.string(),
  phoneMasked: z.string(),
  role: z.enum(['owner', 'admin', 'member']),
  limit_authority: z.int().min(0).max(3),
})

export const listMachinePersonnel = route({
  method: 'POST',
  path: '/api/enterprises/machinePersonnel',
  who: ofDevice,
  title: { cn: '设备管理团队', en: 'Get the management team of a device' },
  request: namedDevice,
  answer: z.array(person),
  errors: [],
})

export const listMachineMaintenancePersonnel = route({
  method: 'POST',
  path: '/api/enterprises/machineMaintenancePersonnel',
  who: ofDevice,
  title: { cn: '设备维保团队', en: 'Get the maintenance team of a device' },
  request: namedDevice,
  answer: z.array(
    person.extend({ from: instant.nullable(), until: z.union([z.literal(-1), instant]).nullable() }),
  ),
  errors: [],
})

export const updateMaintenanceRemark = route({
  method: 'POST',
  path: '/api/enterprises/UpdateMaintenanceRemark',
  who: { ent: 'maintain', eid: 'eid', machine: 'deviceId' },
  title: { cn: '修改维保备注', en: 'Change the maintenance remark of a device' },
  request: namedDevice.extend({ remark }),
  answer: nothing,
  errors: [],
})

const group = z.object({ id, name: z.string(), count: z.int() })

export const listGroupsOfType = route({
  method: 'POST',
  path: '/api/enterprises/getAllGroup',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '企业设备分组', en: 'List an enterprise’s groups with the devices of one type' },
  request: z.object({ eid: id, type: deviceType }),
  answer: z.array(group),
  errors: [],
})

export const listGroups = route({
  method: 'POST',
  path: '/eapi/ent/c/manager/device/group/all',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '全部分组', en: 'List an enterprise’s groups with all devices' },
  request: z.object({ eid: id }),
  answer: z.array(group),
  errors: [],
})

export const createGroup = route({
  method: 'POST',
  path: '/api/enterprises/v1/:eid/groups',
  who: { ent: 'manage', eid: 'eid' },
  title: { cn: '新建分组', en: 'Create a group' },
  request: z.object({ eid: id, name: groupName }),
  answer: z.object({ id }),
  errors: ['GROUP_NAME_TAKEN', 'GROUPS_FULL'],
})

export const updateGroup = route({
  method: 'PUT',
  path: '/api/enterprises/v1/:eid/groups/:id',
  who: { ent: 'manage', eid: 'eid' },
  title: { cn: '重命名分组', en: 'Rename a group' },
  request: z.object({ eid: id, id, name: groupName }),
  answer: nothing,
  errors: ['404', 'GROUP_NAME_TAKEN'],
})

export const removeGroup = route({
  method: 'DELETE',
  path: '/api/enterprises/v1/:eid/groups/:id',
  who: { ent: 'manage', eid: 'eid' },
  title: { cn: '删除分组', en: 'Delete a group' },
  request: z.object({ eid: id, id }),
  answer: nothing,
  errors: ['404', 'GROUP_NOT_EMPTY'],
})

export const addEnterpriseMachine = route({
  method: 'POST',
  path: '/api/enterprises/v1/:eid/machines',
  who: { ent: 'manage', eid: 'eid' },
  limits: ['asks'],
  title: { cn: '添加企业设备', en: 'Add a device to an enterprise' },
  request: z.object({
    eid: id,
    machineCode,
    password: z.string().min(1).max(limits.machinePasswordMax),
    name: machineName,
    groupId: id.optional(),
  }),
  answer: z.object({ machineId: id }),
  errors: ['04010102', '04010112', '04010113', '04010114', '04010115', '505', 'MACHINE_OWNED'],
})

export const updateEnterpriseMachine = route({
  method: 'PUT',
  path: '/api/enterprises/v1/:eid/machines/:id',
  who: { ent: 'manage', eid: 'eid', machine: 'id' },
  title: { cn: '修改企业设备', en: 'Edit an enterprise device' },
  request: z.object({
    eid: id,
    id,
    name: machineName.optional(),
    remark: remark.optional(),
    groupId: z
      .union([z.literal(0), id])
      .optional()
      .describe('0: in no group'),
    teamId: z
      .union([z.literal(0), id])
      .optional()
      .describe('The one team that looks after it; 0: none'),
  }),
  answer: nothing,
  errors: ['04010113', 'TEAM_FOREIGN'],
})

export const removeEnterpriseMachine = route({
  method: 'DELETE',
  path: '/api/enterprises/v1/:eid/machines/:id',
  who: { ent: 'admin', eid: 'eid', machine: 'id' },
  title: { cn: '移除企业设备', en: 'Remove a device from an enterprise' },
  request: z.object({ eid: id, id }),
  answer: nothing,
  errors: ['MACHINE_HELD'],
})

export const openEnterpriseVisit = route({
  ...openVisit,
  path: '/api/enterprises/validVisitUrl',
  who: { right: 'visitor+', machine: 'deviceId', eid: 'eid', refuse: 'audit' },
  limits: [],
  title: { cn: '进入企业设备', en: 'Get the address of a visit to an enterprise device' },
  request: z.object({ eid: id, deviceId: id, terminalID: terminalId }),
})

export const openEnterpriseVisitByCode = route({
  ...openVisit,
  path: '/eapi/web/c/machine/getVisitUrl',
  who: { right: 'visitor+', code: 'machineCode', eid: 'eid', refuse: 'audit' },
  limits: [],
  title: {
    cn: '按机器码进入企业设备',
    en: 'Get the address of a visit to an enterprise device by machine code',
  },
  request: z.object({ eid: id, machineCode, terminalID: terminalId }),
})
