import type { TagType, TagValue } from '../tag.ts'
import type { ModbusArea } from './modbus-tcp/address.ts'

/** Nodes in one answer at most. */
export const browsedNodesMax = 200

export type NodeKind = 'object' | 'variable' | 'method' | 'view'

/** A node of a controller's address space. */
export interface BrowsedNode {
  /** As a tag's configuration takes it. */
  nodeId: string
  name: string
  kind: NodeKind
  /** A variable has a value; the others only have nodes below them. */
  isVariable: boolean
  hasChildren: boolean
  /** Null for a node that is not a variable, and for a type that tags cannot have. */
  type: TagType | null
  isReadable: boolean
  isWritable: boolean
  /** Null if it could not be read. */
  value: TagValue | null
}

export interface BrowsedPage {
  nodes: BrowsedNode[]
  /** Null after the last ones. */
  continuation: string | null
}

/** Explores one controller. Rejects in words for a person; one request at a time. */
export interface Explorer {
  /**
   * The nodes right below `nodeId`, or below the root: `browsedNodesMax` of them, and with the `continuation` of one
   * answer the next ones.
   */
  browse?(nodeId?: string, continuation?: string): Promise<BrowsedPage>
  /** `count` registers from `address`, or bits as 0 and 1. */
  readRegisters?(area: ModbusArea, address: number, count: number): Promise<number[]>
  close(): Promise<void>
}
