/** The configuration of an agent from the platform: what both ends say to each other under the authority `agent`. */

/** Paths under the authority `agent`; GET `state` and `document`, the others POST JSON. */
export const agentConfigPath = {
  /** Answers `RemoteState`. */
  state: '/config',
  /** `?revision=`: answers a `RemoteDocument`, or 404. */
  document: '/config/document',
  /** `RemoteCheck`: answers `RemoteProblems`. */
  check: '/config/check',
  /** `RemoteApply`: answers `RemoteApplied`; 409 `RemoteState`, 422 `RemoteProblems`, 423 during another change. */
  apply: '/config/apply',
  /** `ExploreNodes`: answers `ExploredNodes`; 422 `RemoteProblems` or `ExploreFailure`. */
  nodes: '/config/nodes',
  /** `ExploreRegisters`: answers `ExploredRegisters`; 422 as above. */
  registers: '/config/registers',
} as const

export const agentConfigLimits = {
  /** A document, as JSON in UTF-8. */
  documentBytesMax: 1024 * 1024,
  /** Nesting of a document: the document, a list, a connection, its tags, a tag, a field's texts. */
  depthMax: 8,
  /** Every answer except a document. */
  answerBytesMax: 512 * 1024,
  /**
   * An agent goes back to the version before, when the machine has not returned after so long (rules/data-centre.md:
   * trial of a configuration).
   */
  trialMs: 60_000,
  /** The most registers and bits of one request. */
  registersMax: 125,
  nodeIdCharactersMax: 1_024,
  continuationCharactersMax: 4_096,
  problemsMax: 100,
  /** The most tags of a connection whose trouble is told. */
  troublesMax: 10,
} as const

/** A text of the configuration, a number, a switch, or lists and fields of those. */
export type RemoteValue = string | number | boolean | null | readonly RemoteValue[] | RemoteFields
export interface RemoteFields {
  readonly [name: string]: RemoteValue
}

/** The remote part of the configuration: connections in the terms of the agent's file. */
export interface RemoteDocument {
  readonly connections: readonly RemoteFields[]
}

export const remoteResults = ['applied', 'rolledBack'] as const
export type RemoteResult = (typeof remoteResults)[number]

export const connectionStates = ['online', 'offline', 'unknown'] as const
export type ConnectionState = (typeof connectionStates)[number]

export interface RemoteState {
  /** The version in effect; 0 before the first. */
  readonly revision: number
  /** Kinds of drivers that can be configured; the way to explore their controllers. */
  readonly kinds: readonly { readonly kind: string; readonly explore: 'nodes' | 'registers' | 'none' }[]
  readonly networks: readonly string[]
  /** Those of them that include every address, the gateway itself or link-local ones; missing from older agents. */
  readonly wideNetworks?: readonly string[]
  /** Those of the hand-written file first; they cannot be changed remotely. */
  readonly connections: readonly {
    readonly name: string
    readonly driver: string
    readonly remote: boolean
    readonly tags: number
    readonly state: ConnectionState
    /** Tags that the controller refuses or never answers, beside others; missing from older agents. */
    readonly troubleCount?: number
    /** The first of them. */
    readonly troubles?: readonly { readonly tag: string; readonly reason: string }[]
  }[]
  /** A change that is being tried. */
  readonly trial: {
    readonly revision: number
    readonly id: string
    /** Epoch ms of the agent. */
    readonly at: number
    /** The platform has acknowledged the new tags. */
    readonly isTold: boolean
    /** Connections that worked before and do not yet. */
    readonly waitsFor: readonly string[]
  } | null
  /** The versions that the agent keeps, oldest first, with their results. */
  readonly ended: readonly {
    readonly revision: number
    readonly id: string
    readonly at: number
    readonly result: RemoteResult
    readonly reason: string
  }[]
}

export interface RemoteCheck {
  readonly document: RemoteDocument
}

export interface RemoteApply {
  /** The version that the change was made from. */
  readonly base: number
  /** The platform's id of the change. */
  readonly id: string
  readonly document: RemoteDocument
}

export interface RemoteApplied {
  readonly revision: number
}

export interface RemoteProblems {
  /**
   * Problems with their place in the document, such as `connections[0].tags[2].address`; messages are in
   * English.
   */
  readonly problems: readonly { readonly path: string; readonly message: string }[]
}

/** `connection` is one of a document, with or without tags. */
export interface ExploreNodes {
  readonly connection: RemoteFields
  /** Null: the root. */
  readonly nodeId: string | null
  /** The cursor of the previous answer; null for the first nodes. */
  readonly continuation: string | null
}

export interface ExploredNodes {
  readonly nodes: readonly {
    readonly nodeId: string
    readonly name: string
    readonly isVariable: boolean
    readonly hasChildren: boolean
    /** A type of the agent's file; null if tags cannot have it. */
    readonly type: string | null
    readonly isReadable: boolean
    readonly isWritable: boolean
    /** As text, 256 characters at most; null if it could not be read. */
    readonly value: string | null
  }[]
  readonly continuation: string | null
}

export const exploredAreas = ['holding', 'input', 'coil', 'discrete'] as const

export interface ExploreRegisters {
  readonly connection: RemoteFields
  readonly area: (typeof exploredAreas)[number]
  /** From 0. */
  readonly address: number
  readonly count: number
}

export interface ExploredRegisters {
  readonly values: readonly number[]
}

/** The controller did not answer, or refused; in English. */
export interface ExploreFailure {
  readonly failure: string
}
