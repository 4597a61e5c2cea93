import type { AgentPort, AttributeName } from '@busbar/link'
import type { DriverConnection, DriverKinds } from '../drivers/driver-kind.ts'
import type { PortsByKind } from '../remote/ports.ts'

export interface CloudConfig {
  /** mqtt, mqtts, ws or wss; without user name and password. */
  url: string
  /** The machine code, 19 digits. */
  code: string
  secret: string
  /** Samples kept in memory at most. */
  outboxSamplesMax: number
  /** Address of the tunnel, ws or wss; null without one. */
  tunnel: string | null
}

/** A page of another device in the machine's network. */
export interface TargetConfig {
  name: string
  /** http or https with host and port, no path. */
  url: string
  /** `enforced`: it is known to change nothing on GET, HEAD and OPTIONS, and only these pass in a visit that may watch. */
  readOnly: 'enforced' | 'none'
  /** Any certificate will do. */
  insecure: boolean
  /** The certificate's SHA-256, 64 lower-case hex digits: this one and no other. */
  fingerprint?: string
}

/** A TCP port to which people with a tool of their own may come. */
export interface PortConfig extends Omit<AgentPort, 'roundTripMs'> {
  readonly host: string
  readonly port: number
}

/** The page's port at the machine itself. Without one the page can be reached only through the tunnel. */
export interface PageConfig {
  host: string
  port: number
  /** Names by which a browser may ask for it, besides its address and localhost. */
  hosts: string[]
  /** Whether people there may change set-points. */
  write: boolean
}

/** Storage of samples until their acknowledgement. */
export interface OutboxConfig {
  /** Each machine has its own folder in it, named by its code. Null: in memory only. */
  folder: string | null
  bytesMax: number
  /** Which samples go when the folder is full. */
  drop: 'oldest' | 'newest'
  /** Time from a write to its sync to the disk; 0 immediately. */
  syncMs: number
}

/** One of the sources of the machine's position. */
export type PositionConfig =
  /** NMEA 0183. */
  | { kind: 'serial'; path: string; baudRate: number }
  /** NMEA 0183. */
  | { kind: 'tcp'; host: string; port: number }
  | { kind: 'gpsd'; host: string; port: number }
  /** As mmcli names it. */
  | { kind: 'modem'; modem: string }
  | { kind: 'file'; path: string }

/** The limits of configuration from the platform. */
export interface RemoteConfig {
  /** The networks in which hosts of its connections may lie, each an address with the bits of its prefix. */
  networks: string[]
  /** The ports of these connections; null: of each kind of driver its usual one. */
  ports: PortsByKind | null
}

/** The folders of a configuration's other files. */
export interface ConfigFolders {
  /** Beside the configuration. */
  config: string
  /** State that drivers keep over restarts; each kind has its own folder in it. */
  driverState: string
  /** The configuration from the platform, with its former versions. */
  remote: string
}

/** The whole configuration, checked. */
export interface AgentConfig {
  cloud: CloudConfig
  outbox: OutboxConfig
  attributes: Partial<Record<AttributeName, string>>
  connections: DriverConnection[]
  page: PageConfig | null
  targets: TargetConfig[]
  /** `tcp` of the file. */
  ports: PortConfig[]
  /** The first that knows where the machine is tells it. */
  position: PositionConfig[]
  /** Null: nothing. */
  remote: RemoteConfig | null
  /** The kinds of drivers that its connections may name. */
  kinds: DriverKinds
  folders: ConfigFolders
}

export const configLimits = {
  fileBytesMax: 4 * 1024 * 1024,
  secretBytesMax: 256,
  connectionsMax: 64,
  targetsMax: 32,
  portsMax: 32,
  portConnectionsMax: 32,
  positionSourcesMax: 8,
  networksMax: 32,
  portRangesMax: 32,
  /** Limit per machine; the platform refuses more. */
  tagsMax: 5_000,
  pageHostsMax: 16,
  nameCharactersMax: 64,
  groupCharactersMax: 128,
  textCharactersMax: 128,
  /** The platform refuses longer ones. */
  alarmIdBytesMax: 128,
  pollIntervalMsMin: 50,
  pollIntervalMsMax: 3_600_000,
  timeoutMsMin: 50,
  timeoutMsMax: 60_000,
  pauseMsMax: 10_000,
  /** A value goes out at least every minute. */
  heartbeatMsMin: 1_000,
  heartbeatMsMax: 60_000,
  /** 125 registers in one request. */
  stringBytesMax: 250,
  scaleMax: 15,
  outboxSamplesMax: 200_000,
  outboxMegabytesMin: 1,
  outboxMegabytesMax: 16_384,
  syncMsMax: 600_000,
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
  outboxMegabytes: 64,
  syncMs: 5_000,
} as const
