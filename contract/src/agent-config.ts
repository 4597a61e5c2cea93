import { z } from 'zod'
import { id, instant, nothing } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

/**
 * Configuration of a machine's agent, where the agent's own file allows it. The agent checks everything itself
 * (docs/decisions/0066-agent-configuration.md).
 */
export const agentConfigLimits = {
  connectionsMax: 64,
  tagsMax: 5_000,
  /** Versions in the list. */
  changesListed: 50,
  registersMax: 125,
  nodeIdMax: 1_024,
  continuationMax: 4_096,
} as const

/** Of every call below, because a proxy in front has one limit for all of them. */
const bodyBytesMax = limits.largeBodyBytesMax

const fieldName = z.string().min(1).max(64)
const scalar = z.union([z.string().max(2_048), z.number(), z.boolean(), z.null()])
const texts = z.record(fieldName, scalar)
const nested = z.record(fieldName, z.union([scalar, texts]))
const tagFields = z.record(fieldName, z.union([scalar, nested]))

/** A connection in the words of the agent's file: name, driver, where it leads, and `tags`. */
export const agentConnection = z.record(
  fieldName,
  z.union([scalar, nested, z.array(tagFields).max(agentConfigLimits.tagsMax)]),
)
export type AgentConnection = z.output<typeof agentConnection>

const connections = z.array(agentConnection).max(agentConfigLimits.connectionsMax)
const revision = z.int().min(0).max(2_147_483_647)
/** Looking costs nothing; a change, and questions to controllers in the plant, need more (see each route's errors). */
const who = { right: 'bkey+', orMember: 'manage', machine: 'machineId' } as const
/** Control is taken for a minute as by a write. */
const changeErrors = [
  'AGENT_AWAY',
  'AGENT_CONFIG_OFF',
  'CONTROL_TAKEN',
  'NOT_REACHABLE',
  'PROOF_NEEDED',
  'READ_ONLY',
] as const
const limited = ['agentCalls'] as const

const agentChange = z.object({
  revision,
  at: instant,
  by: z.string(),
  /** `trying` until the agent has decided, `unknown` if it never answered. */
  state: z.enum(['trying', 'applied', 'rolledBack', 'unknown']),
  reason: z.string(),
  restoredFrom: revision.nullable(),
  connectionCount: z.int(),
  tagCount: z.int(),
  isKept: z.boolean(),
})
export type AgentChange = z.output<typeof agentChange>

const agentConfig = z.object({
  isAllowed: z.boolean(),
  revision,
  kinds: z.array(z.object({ kind: z.string(), explore: z.enum(['nodes', 'registers', 'none']) })),
  networks: z.array(z.string()),
  wideNetworks: z.array(z.string()),
  connections: z.array(
    z.object({
      name: z.string(),
      driver: z.string(),
      isRemote: z.boolean(),
      tagCount: z.int(),
      state: z.enum(['online', 'offline', 'unknown']),
      troubleCount: z.int(),
      troubles: z.array(z.object({ tag: z.string(), reason: z.string() })),
    }),
  ),
  trial: z
    .object({ revision, startedAt: instant, isTold: z.boolean(), waitsFor: z.array(z.string()) })
    .nullable(),
  changes: z.array(agentChange),
})
export type AgentConfig = z.output<typeof agentConfig>

/** The state of now, and the changes since the device has its present owner, newest first. */
export const getAgentConfig = route({
  method: 'GET',
  path: '/api/v1/agents/:machineId/config',
  who,
  title: { cn: '采集程序的驱动配置', en: 'Get the driver configuration of an agent' },
  request: z.object({ machineId: id }),
  answer: agentConfig,
  errors: ['AGENT_AWAY', 'NOT_REACHABLE'],
  limits: limited,
})

export const getAgentDocument = route({
  method: 'GET',
  path: '/api/v1/agents/:machineId/config/document',
  who,
  title: { cn: '驱动配置的一个版本', en: 'Get a version of the driver configuration' },
  request: z.object({ machineId: id, revision }),
  answer: z.object({ revision, connections }),
  errors: ['404', 'AGENT_AWAY', 'AGENT_CONFIG_OFF', 'NOT_REACHABLE'],
  limits: limited,
})

const problems = z.array(z.object({ path: z.string(), message: z.string() }))

export const checkAgentConfig = route({
  method: 'POST',
  path: '/api/v1/agents/:machineId/config/check',
  who,
  title: { cn: '检查驱动配置', en: 'Check a driver configuration' },
  request: z.object({ machineId: id, connections }),
  answer: z.object({ problems }),
  errors: changeErrors,
  limits: limited,
  load: 'file',
  bodyBytesMax,
})

/** The agent tries it for a minute at most; `getAgentConfig` answers the result. */
export const applyAgentConfig = route({
  method: 'POST',
  path: '/api/v1/agents/:machineId/config/apply',
  who,
  title: { cn: '应用驱动配置', en: 'Apply a driver configuration' },
  request: z.object({
    machineId: id,
    base: revision,
    connections,
  }),
  answer: z.object({ revision }),
  errors: [...changeErrors, 'AGENT_CONFIG_BUSY', 'AGENT_CONFIG_CHANGED', 'AGENT_CONFIG_WRONG'],
  limits: limited,
  load: 'file',
  bodyBytesMax,
})

/** Tries a former version anew. */
export const restoreAgentConfig = route({
  method: 'POST',
  path: '/api/v1/agents/:machineId/config/restore',
  who,
  title: { cn: '恢复驱动配置的历史版本', en: 'Restore a version of the driver configuration' },
  request: z.object({ machineId: id, base: revision, revision }),
  answer: z.object({ revision }),
  errors: [...changeErrors, '404', 'AGENT_CONFIG_BUSY', 'AGENT_CONFIG_CHANGED', 'AGENT_CONFIG_WRONG'],
  limits: limited,
})

const agentNode = z.object({
  nodeId: z.string(),
  name: z.string(),
  isVariable: z.boolean(),
  hasChildren: z.boolean(),
  type: z.string().nullable(),
  isReadable: z.boolean(),
  isWritable: z.boolean(),
  value: z.string().nullable(),
})
export type AgentNode = z.output<typeof agentNode>

/** The nodes right below one, or below the root, by pages. */
export const browseAgentNodes = route({
  method: 'POST',
  path: '/api/v1/agents/:machineId/config/nodes',
  who,
  title: { cn: '通过采集程序浏览 OPC UA 地址空间', en: 'Browse an OPC UA address space through an agent' },
  request: z.object({
    machineId: id,
    connection: agentConnection,
    nodeId: z.string().max(agentConfigLimits.nodeIdMax).nullable(),
    continuation: z.string().max(agentConfigLimits.continuationMax).nullable(),
  }),
  answer: z.object({ nodes: z.array(agentNode), continuation: z.string().nullable() }),
  errors: [...changeErrors, 'AGENT_CONFIG_WRONG', 'CONTROLLER_FAILED'],
  limits: limited,
})

export const registerAreas = ['holding', 'input', 'coil', 'discrete'] as const

/** Registers as they are, or bits as 0 and 1. */
export const readAgentRegisters = route({
  method: 'POST',
  path: '/api/v1/agents/:machineId/config/registers',
  who,
  title: { cn: '通过采集程序读取 Modbus 寄存器', en: 'Read Modbus registers through an agent' },
  request: z.object({
    machineId: id,
    connection: agentConnection,
    area: z.enum(registerAreas),
    address: z.int().min(0).max(65_535),
    count: z.int().min(1).max(agentConfigLimits.registersMax),
  }),
  answer: z.object({ values: z.array(z.int()) }),
  errors: [...changeErrors, 'AGENT_CONFIG_WRONG', 'CONTROLLER_FAILED'],
  limits: limited,
})

/** The kinds of drivers whose controllers a scan finds. */
export const scanKinds = ['modbus-tcp', 's7', 'opcua'] as const

/** The agent looks for controllers in one of its networks; a person once a minute. */
export const startScan = route({
  method: 'POST',
  path: '/api/v1/agents/:machineId/config/scan',
  who,
  title: { cn: '搜索控制器', en: 'Scan a network for controllers' },
  request: z.object({
    machineId: id,
    network: z.string().min(1).max(64),
    kinds: z.array(z.enum(scanKinds)).max(scanKinds.length).optional(),
  }),
  answer: nothing,
  errors: [...changeErrors, 'AGENT_OLD', 'SCAN_NETWORK', 'SCAN_RUNNING'],
  limits: [...limited, { rate: 'agentScans', countedBy: 'route' }],
})

/** The scan that runs, or the last one. */
export const getScan = route({
  method: 'GET',
  path: '/api/v1/agents/:machineId/config/scan',
  who,
  title: { cn: '搜索控制器的进度和结果', en: 'Get the scan for controllers' },
  request: z.object({ machineId: id }),
  answer: z.object({
    state: z.enum(['none', 'running', 'done']),
    network: z.string(),
    done: z.int(),
    total: z.int(),
    found: z.array(z.object({ address: z.string(), port: z.int(), kind: z.string(), name: z.string() })),
  }),
  errors: ['AGENT_AWAY', 'AGENT_CONFIG_OFF', 'AGENT_OLD', 'NOT_REACHABLE'],
  limits: limited,
})
