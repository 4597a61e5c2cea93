import { z } from 'zod'
import { requestForPerson } from './account-fields.ts'
import {
  eidOrPersonal,
  id,
  instant,
  machineCode,
  nothing,
  page,
  paged,
  pageSize,
  shortText,
} from './fields.ts'
import { projectLimits } from './project-limits.ts'
import { route } from './route.ts'

/** A project over devices of an enterprise, or over those that it maintains; null of a person's. */
export const projectTypes = { enterprise: 1, maintenance: 2 } as const
export type ProjectType = (typeof projectTypes)[keyof typeof projectTypes]
const type = z.union([z.literal(1), z.literal(2)])

/** The level of a person in a project (`limit_authority`). */
export const projectLevels = { member: 2, owner: 3 } as const
const level = z.union([z.literal(2), z.literal(3)])

/** Why a machine's rows do not go out. */
export const linkStops = ['rightLost', 'memberLeft', 'ownerChanged'] as const
export type LinkStop = (typeof linkStops)[number]

/** States of what a project sends, the worst first. */
export const reportingStates = ['failing', 'quotaOver', 'stopped', 'off', 'waiting', 'well'] as const
export type ReportingState = (typeof reportingStates)[number]

/** The variables that a project gets, by the names of the devices; left out: all. */
export const variableChoice = z
  .strictObject({
    groups: z.array(z.string().max(128)).max(projectLimits.variables).default([]),
    tags: z
      .array(z.strictObject({ group: z.string().max(128), tag: z.string().min(1).max(256) }))
      .max(projectLimits.variables)
      .default([]),
  })
  .nullable()
export type VariableChoice = z.output<typeof variableChoice>

const name = shortText(1, projectLimits.nameMax)
const description = shortText(0, projectLimits.descriptionMax)
const everyS = z.int().min(0).max(projectLimits.everySMax)
const flag = z.union([z.literal(0), z.literal(1)])
/** `https://portal.example` with a port or without; the platform names what is wrong with another one. */
const origins = z.array(z.string().trim().min(1).max(projectLimits.urlMax)).max(projectLimits.origins)

const projectUser = z.object({
  id,
  user_id: id,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  country_code: z.string(),
  limit_authority: level,
  accepted: z.boolean(),
})
export type ProjectUser = z.output<typeof projectUser>

const projectMachine = z.object({
  machine_id: id,
  emq_project_id: id,
  project_name: z.string(),
  machine_name: z.string(),
  machine_code: machineCode,
  online: z.boolean(),
  reported: z.boolean(),
  linkId: id,
  addedBy: z.string(),
  addedByMe: z.boolean(),
  addedAt: instant,
  stop: z.enum(linkStops).nullable(),
  lastRowAt: instant.nullable(),
  mayWrite: z.boolean(),
  mayVisit: z.boolean(),
  /** The project's list offers its page, which the reader may open. */
  mayOpen: z.boolean(),
})
export type ProjectMachine = z.output<typeof projectMachine>

const project = z.object({
  id,
  name: z.string(),
  description: z.string(),
  type: type.nullable(),
  eid: id.nullable(),
  report_state: flag,
  remote_report: z.boolean(),
  picture: z.boolean(),
  enable_get_visit_url: z.boolean(),
  allow_write: z.boolean(),
  server: id,
  owner: z.string(),
  secret_key: z.string(),
  user_length: z.int(),
  machine_length: z.int(),
  report_count: z.int(),
  available_count: z.int(),
  limit_authority: level,
  origins: z.array(z.string()),
  variables: variableChoice,
  everyS: z.int(),
  createdAt: instant,
  state: z.enum(reportingStates),
  lagMs: z.int().nullable(),
  worstTarget: z.string().nullable(),
  invitedBy: z.string().nullable(),
  users: z.array(projectUser).optional(),
  machines: z.array(projectMachine).optional(),
})
export type Project = z.output<typeof project>

export const listProjects = route({
  method: 'POST',
  path: '/api/project/get',
  who: 'user',
  title: { cn: '项目列表或详情', en: 'List projects, or get one' },
  request: z.object({ id: id.optional(), eid: eidOrPersonal, type: type.optional() }),
  answer: z.array(project),
  errors: ['404'],
})

export const listProjectUsers = route({
  method: 'POST',
  path: '/api/project/getUser',
  who: { prj: 'member', project: 'id' },
  title: { cn: '项目成员', en: 'List the people of a project' },
  request: z.object({ id }),
  answer: z.array(projectUser),
  errors: [],
})

export const listProjectMachines = route({
  method: 'POST',
  path: '/api/project/getMachine',
  who: { prj: 'member', project: 'id' },
  title: { cn: '项目设备', en: 'List the devices of a project' },
  request: z.object({ id }),
  answer: z.array(projectMachine),
  errors: [],
})

export const createProject = route({
  method: 'POST',
  path: '/api/project/add',
  who: 'user',
  limits: ['projectActs'],
  title: { cn: '新建项目', en: 'Create a project' },
  request: z.object({
    name,
    description: description.default(''),
    server: id.default(1),
    eid: eidOrPersonal,
    type: type.optional(),
  }),
  answer: z.object({ id }),
  errors: ['403', 'PROJECTS_FULL', 'PROJECTS_OFF', 'REPORTING_SERVER_UNKNOWN'],
})

const reportingServer = z.object({
  id,
  name: z.string(),
  host: z.string(),
  port: z.int(),
})
export type ReportingServer = z.output<typeof reportingServer>

const endpoint = z.object({
  mqtt: z.object({
    host: z.string(),
    port: z.int().nullable(),
    tlsPort: z.int().nullable(),
    wsUrl: z.string(),
    username: z.string(),
    topicUp: z.string(),
    topicDown: z.string(),
  }),
  http: z.object({ url: z.string() }),
})
export type ProjectEndpoint = z.output<typeof endpoint>

/** Without an id: the servers to choose from; with one, for members: where its data can be fetched. */
export const getServer = route({
  method: 'POST',
  path: '/api/project/getServer',
  who: 'user',
  title: { cn: '上报服务器', en: 'Get reporting servers, or the addresses of a project' },
  request: z.object({ id: id.optional() }),
  answer: z.union([z.array(reportingServer), endpoint]),
  errors: ['404'],
})

export const removeProjectUser = route({
  method: 'POST',
  path: '/api/project/delUser',
  who: { prj: 'member', project: 'id' },
  title: { cn: '移除成员或退出项目', en: 'Remove a person from a project, or quit' },
  request: z.object({ id, delUserId: id }),
  answer: nothing,
  errors: ['403', '404', 'PROJECT_OWNER_STAYS'],
})

export const addProjectUser = route({
  method: 'POST',
  path: '/api/project/addUser',
  who: { prj: 'member', project: 'id' },
  limits: ['asks'],
  title: { cn: '添加项目成员', en: 'Invite a person to a project' },
  request: requestForPerson({ id }),
  answer: z.object({ userId: id }),
  errors: ['08011006', '08011007', 'PROJECT_MEMBERS_FULL'],
})

/** The caller answers their own invitation. */
export const answerProjectInvitation = route({
  method: 'POST',
  path: '/api/project/v1/invitation',
  who: 'user',
  title: { cn: '答复项目邀请', en: 'Answer an invitation to a project' },
  request: z.object({ id, accept: z.boolean() }),
  answer: nothing,
  errors: ['404'],
})

export const transferProject = route({
  method: 'POST',
  path: '/api/project/transfer',
  who: { prj: 'owner', project: 'id' },
  title: { cn: '转让项目', en: 'Transfer a project' },
  request: z.object({ id, transferUser: id }),
  answer: nothing,
  errors: ['404', 'PROJECTS_FULL'],
})

/** An owner of the enterprise takes over the project whose owner left the enterprise. */
export const takeProjectOver = route({
  method: 'POST',
  path: '/api/project/v1/takeOver',
  who: 'user',
  title: { cn: '接管项目', en: 'Take over the project of a person who left' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404', 'PROJECT_HAS_OWNER'],
})

export const deleteProject = route({
  method: 'POST',
  path: '/api/project/del',
  who: { prj: 'owner', project: 'id' },
  title: { cn: '删除项目', en: 'Delete a project' },
  request: z.object({ id }),
  answer: nothing,
  errors: [],
})

const reportCount = z.object({ report_count: z.int() })

export const addProjectMachine = route({
  method: 'POST',
  path: '/api/project/addMachine',
  who: { prj: 'member', project: 'id' },
  limits: ['projectActs'],
  title: { cn: '添加项目设备', en: 'Add a device to a project' },
  request: z.object({ id, machineId: id }),
  answer: reportCount,
  errors: ['WRONG_ROLE', '08011008', 'PROJECT_MACHINES_FULL'],
})

export const removeProjectMachine = route({
  method: 'POST',
  path: '/api/project/delMachine',
  who: { prj: 'member', project: 'id' },
  title: { cn: '移除项目设备', en: 'Remove a device from a project' },
  request: z.object({ id, machineId: id }),
  answer: reportCount,
  errors: ['404'],
})

/** The caller stands for a device whose rows stopped because the person who added it lost the right. */
export const takeProjectMachineOver = route({
  method: 'POST',
  path: '/api/project/v1/takeMachine',
  who: { prj: 'member', project: 'id' },
  title: { cn: '接管项目设备', en: 'Take over a device of a project' },
  request: z.object({ id, machineId: id }),
  answer: nothing,
  errors: ['404', 'WRONG_ROLE'],
})

export const updateProject = route({
  method: 'POST',
  path: '/api/project/edit',
  who: { prj: 'member', project: 'id' },
  title: { cn: '修改项目', en: 'Change a project' },
  request: z.object({
    id,
    name: name.optional(),
    description: description.optional(),
    report_state: flag.optional(),
    server: id.optional(),
    enable_get_visit_url: z.boolean().optional(),
    picture: z.boolean().optional(),
    remote_report: z.boolean().optional(),
    allow_write: z.boolean().optional(),
    origins: origins.optional(),
    variables: variableChoice.optional(),
    everyS: everyS.optional(),
  }),
  answer: nothing,
  errors: ['403', 'ORIGIN_WRONG', 'REPORTING_SERVER_UNKNOWN'],
})

const projectKey = z.object({
  createdAt: instant,
  endsAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  lastUsedFrom: z.string(),
})
export type ProjectKey = z.output<typeof projectKey>

/** The keys that are valid now, the newest first. */
export const listProjectKeys = route({
  method: 'GET',
  path: '/api/project/v1/keys',
  who: { prj: 'owner', project: 'id' },
  title: { cn: '项目密钥', en: 'List the keys of a project' },
  request: z.object({ id }),
  answer: z.array(projectKey),
  errors: [],
})

export const resetProjectKey = route({
  method: 'POST',
  path: '/api/project/resetKey',
  who: { prj: 'owner', project: 'id' },
  title: { cn: '更换项目密钥', en: 'Change the key of a project' },
  request: z.object({ id, endNow: z.boolean().default(false) }),
  answer: z.object({ secret_key: z.string() }),
  errors: ['PROOF_NEEDED'],
})

/** Nothing of the device reaches the project before its Akey allows it: writing, and entering as a member. */
export const setProjectConsent = route({
  method: 'POST',
  path: '/api/project/v1/consent',
  who: { right: 'akey', machine: 'machineId' },
  title: { cn: '项目授权同意', en: 'Consent to what a project can do with a device' },
  request: z.object({ id, machineId: id, write: z.boolean(), visit: z.boolean() }),
  answer: nothing,
  errors: ['404'],
})

const machineProject = z.object({
  id,
  name: z.string(),
  owner: z.string(),
  addedBy: z.string(),
  addedAt: instant,
  stop: z.enum(linkStops).nullable(),
  write: z.boolean(),
  visit: z.boolean(),
  wantsWrite: z.boolean(),
  wantsVisit: z.boolean(),
  consentBy: z.string().nullable(),
  consentAt: instant.nullable(),
})
export type MachineProject = z.output<typeof machineProject>

/** The projects that get the values of a device. */
export const listMachineProjects = route({
  method: 'GET',
  path: '/api/v1/machine/:machineId/projects',
  who: { right: 'bkey+', machine: 'machineId' },
  title: { cn: '获取设备数据的项目', en: 'List the projects that get a device’s data' },
  request: z.object({ machineId: id }),
  answer: z.array(machineProject),
  errors: [],
})

/** The Akey takes the device out of the project. */
export const withdrawMachine = route({
  method: 'DELETE',
  path: '/api/v1/machine/:machineId/projects/:id',
  who: { right: 'akey', machine: 'machineId' },
  title: { cn: '撤回项目的设备数据', en: 'Withdraw a device from a project' },
  request: z.object({ machineId: id, id }),
  answer: nothing,
  errors: ['404'],
})

/** The rows of this month, and of each minute of the last day. */
export const getProjectUsage = route({
  method: 'GET',
  path: '/api/project/v1/usage',
  who: { prj: 'member', project: 'id' },
  title: { cn: '项目用量', en: 'Get the use of a project’s quota' },
  request: z.object({ id }),
  answer: z.object({
    monthFrom: instant,
    monthTo: instant,
    rows: z.int(),
    rowsMax: z.int(),
    perDay: z.int(),
    endsAt: instant.nullable(),
    lastingEveryS: z.int().nullable(),
    minutes: z.array(z.object({ at: instant, rows: z.int() })),
  }),
  errors: [],
})

const enterpriseProject = z.object({
  id,
  name: z.string(),
  description: z.string(),
  type,
  owner: z.string(),
  ownerLeft: z.boolean(),
  report_state: flag,
  machine_length: z.int(),
  user_length: z.int(),
  mine: z.boolean(),
})
export type EnterpriseProject = z.output<typeof enterpriseProject>

export const listEnterpriseProjects = route({
  method: 'POST',
  path: '/eapi/web/c/project/list',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '企业项目', en: 'List the projects of an enterprise' },
  request: z.object({ eid: id, type, search: z.string().max(254).default('') }),
  answer: z.array(enterpriseProject),
  errors: [],
})

/** Of an enterprise’s project, for its members. */
export const listEnterpriseProjectMachines = route({
  method: 'POST',
  path: '/eapi/web/c/project/machine/list',
  who: { prj: 'member', project: 'id' },
  title: { cn: '企业项目的设备', en: 'List the devices of an enterprise’s project' },
  request: z.object({ id }),
  answer: z.array(projectMachine),
  errors: ['404'],
})

export const getEnterpriseProject = route({
  method: 'POST',
  path: '/eapi/web/c/project/info',
  who: { prj: 'member', project: 'id' },
  title: { cn: '企业项目详情', en: 'Get an enterprise’s project' },
  request: z.object({ id }),
  answer: project,
  errors: ['404'],
})

const operatorProject = z.object({
  id,
  name: z.string(),
  enterprise: z.string(),
  owner: z.string(),
  machines: z.int(),
  rows: z.int(),
  rowsMax: z.int(),
  lagMs: z.int().nullable(),
  lagRows: z.int().nullable(),
  state: z.enum(reportingStates),
  stopped: z.boolean(),
})
export type OperatorProject = z.output<typeof operatorProject>

export const listAllProjects = route({
  method: 'GET',
  path: '/api/operator/v1/projects',
  who: 'operator',
  title: { cn: '全部项目', en: 'List all projects' },
  request: z.object({ page, pageSize: pageSize(50, 500), search: z.string().max(254).optional() }),
  answer: paged(operatorProject),
  errors: [],
})

/** A server that people may then choose for their projects. */
export const createReportingServer = route({
  method: 'POST',
  path: '/api/operator/v1/reportingServers',
  who: 'operator',
  title: { cn: '添加上报服务器', en: 'Add a reporting server' },
  request: z.object({
    name: shortText(1, projectLimits.nameMax),
    host: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/, { message: 'host' }),
    port: z.int().min(1).max(65_535),
  }),
  answer: z.object({ id }),
  errors: ['REPORTING_SERVERS_FULL'],
})

/** Projects that report to it go back to the platform's own endpoint. */
export const deleteReportingServer = route({
  method: 'DELETE',
  path: '/api/operator/v1/reportingServers/:id',
  who: 'operator',
  title: { cn: '删除上报服务器', en: 'Remove a reporting server' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404'],
})

export const stopProject = route({
  method: 'PUT',
  path: '/api/operator/v1/projects/:id',
  who: 'operator',
  title: { cn: '停止或恢复项目', en: 'Stop a project, or let it go on' },
  request: z.object({ id, stopped: z.boolean() }),
  answer: nothing,
  errors: ['404'],
})
