import type { MachineKind, MachineName, ProjectKind } from '@busbar/contract'
import type { FastifyInstance } from 'fastify'
import type { Follower } from './facts/follower.ts'
import type { Figures } from './figures.ts'
import type { Binding } from './http/bind.ts'
import type { CallLimits } from './http/call-limits.ts'
import type { Job } from './jobs/index.ts'
import type { Metric } from './metrics/index.ts'
import type { Role } from './roles.ts'

/** Finds the machines of the ids that requests contain; undefined for a missing thing. */
export type MachineOf = {
  readonly [Kind in MachineKind]?: (
    named: MachineName<Kind>,
  ) => Promise<number | readonly number[] | undefined>
}

/** Finds the project of the ids that requests contain; undefined for a missing thing. */
export type ProjectOf = { readonly [Kind in ProjectKind]?: (id: number) => Promise<number | undefined> }

/** A condition without which this process cannot serve. */
export interface HealthCheck {
  /** Its name in `/readyz`. */
  readonly name: string
  isWell(): boolean
}

/** The ports that a platform is asked to listen on; 0 lets the system choose one. */
export interface RequestedPorts {
  readonly web: number
  readonly mqtt: number
  readonly mqtts?: number
}

/** The ports that a platform listens on. */
export interface Listening {
  readonly webPort: number
  /** Undefined with MQTT_PLAIN=0. */
  readonly mqttPort: number | undefined
  /** Undefined without a certificate. */
  readonly mqttsPort: number | undefined
}

/**
 * A part of the platform. It is made by one function of its `index.ts`, which takes the kernel and the modules that it
 * depends on; nothing runs before `start`.
 */
export interface Module {
  readonly name: string
  /** Where it runs. */
  readonly roles: readonly Role[]
  /** The declared calls that it answers. */
  readonly routes?: readonly Binding[]
  /** The kinds of ids whose machine it can find; routes of every module may be guarded by them. */
  readonly machineOf?: MachineOf
  /** The kinds of ids whose project it can find. */
  readonly projectOf?: ProjectOf
  readonly jobs?: readonly Job[]
  readonly follows?: readonly Follower[]
  readonly health?: readonly HealthCheck[]
  /** Adds answers that are not declared calls, such as files, to the console's server. */
  serve?(app: FastifyInstance, limits: CallLimits): void
  /** Begins its work; nothing comes from outside yet. */
  start?(): Promise<void> | void
  /** Lets the outside in, after every module has started. Answers the ports it listens on. */
  open?(ports: RequestedPorts): Promise<Partial<Listening>>
  /**
   * Hands what it holds over to other nodes that do the same work, spread over `ms`, and takes nothing new of it.
   * Called before `drain`, and only where there is such a node; together the other nodes have `roles`.
   */
  leave?(ms: number, roles: ReadonlySet<Role>): Promise<void> | void
  /** Takes nothing new; resolves when everything it has begun is done, or after `patienceMs`. */
  drain?(patienceMs: number): Promise<void>
  stop?(): Promise<void> | void
  /** Metrics for Prometheus; families of the same name are joined. */
  metrics?(): Metric[]
  /** Figures for an operator. */
  figures?(): Partial<Figures>
}
