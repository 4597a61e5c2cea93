import type { AttributeName } from '@busbar/link'
import type { ModbusConnection } from '../drivers/modbus-tcp/modbus-driver.ts'
import type { SimulatedConnection } from '../drivers/simulated/simulated-driver.ts'

export type ConnectionConfig = ModbusConnection | SimulatedConnection

export interface CloudConfig {
  /** mqtt, mqtts, ws or wss; without user name and password. */
  url: string
  /** The machine code, 19 digits. */
  code: string
  secret: string
  outboxSamplesMax: number
}

/** The whole configuration, checked. */
export interface AgentConfig {
  cloud: CloudConfig
  attributes: Partial<Record<AttributeName, string>>
  connections: ConnectionConfig[]
}

export const configLimits = {
  fileBytesMax: 4 * 1024 * 1024,
  secretBytesMax: 256,
  connectionsMax: 64,
  /** Of one machine; the platform refuses what is beyond. */
  tagsMax: 5_000,
  nameCharactersMax: 64,
  groupCharactersMax: 128,
  textCharactersMax: 128,
  pollIntervalMsMin: 50,
  pollIntervalMsMax: 3_600_000,
  timeoutMsMin: 50,
  timeoutMsMax: 60_000,
  /** A value goes out at least every minute. */
  heartbeatMsMin: 1_000,
  heartbeatMsMax: 60_000,
  /** 125 registers in one request. */
  stringBytesMax: 250,
  scaleMax: 15,
  outboxSamplesMax: 200_000,
} as const

export const configDefaults = {
  pollIntervalMs: 1_000,
  timeoutMs: 2_000,
  modbusPort: 502,
  modbusUnit: 1,
  heartbeatMs: 60_000,
  gapRegistersMax: 8,
  gapBitsMax: 64,
  blockRegistersMax: 125,
  blockBitsMax: 2_000,
  outboxSamplesMax: 50_000,
} as const
