import type { AgentProbed } from '@busbar/link'
import type { Clock } from '../clock.ts'
import type { Fields } from '../config/fields.ts'
import type { Log } from '../log.ts'
import type { Tag } from '../tag.ts'
import type { Driver } from './driver.ts'
import type { Explorer } from './explorer.ts'

/** Raised with every change of the interfaces between the agent and the files of its drivers. */
export const driverInterface = 4

/** The fields of every connection, whatever its driver. */
export interface DriverConnection {
  /** The kind of its driver. */
  driver: string
  name: string
  pollIntervalMs: number
  tags: readonly Tag[]
}

/** A place in a controller, as a tool names it that speaks the controller's protocol. */
export interface ToolPlace {
  /** Of the controller, as the agent's file spells it. */
  host: string
  port: number
  /** Of Modbus. */
  unit: number | null
  /** An address without the type of its value: `holding:12`, `DB1.DBW4`. */
  place: string
}

export interface DriverDeps {
  clock: Clock
  log: Log
  /** 0 to 1, for jitter and simulated signals. */
  random: () => number
  /** The folder of files that the configuration names with a relative path. */
  configFolder: string
  /** A folder for what this kind of driver keeps over restarts; the driver makes it when it needs it. */
  stateFolder: string
  /**
   * Called when the driver has learned types, units or ranges of its tags from the controller, because the
   * cloud has to know them.
   */
  onTagsChanged?: () => void
}

/**
 * A kind of driver: how its part of the configuration is read, and how a connection is opened. `Options` are the fields
 * of a connection beside those that every connection has.
 *
 * The file of an optional driver exports its kind as `default`. It is built with copies of the agent's
 * modules, so `instanceof` of a class of the agent does not work across it.
 */
export interface DriverKind<Options extends object = object, OwnTag extends Tag = Tag> {
  /** `driverInterface` at the time of the build. */
  readonly driverInterface: number
  /** The word in the configuration. */
  readonly kind: string
  /** Reads the fields of a connection; notes each problem at its field, and answers in any case. */
  parseConnection(fields: Fields): Options
  /** Reads one entry of the connection's tags, as `parseConnection` does. */
  parseTag(fields: Fields, options: Options): OwnTag
  /** A driver that is not connected yet. */
  open(connection: DriverConnection & Options & { tags: readonly OwnTag[] }, deps: DriverDeps): Driver
  /** Looks into a controller without tags, for a configuration that is still being made. */
  explore?(connection: Omit<DriverConnection, 'tags'> & Options, deps: DriverDeps): Explorer
  /** The tag at a place of the controller that the connection leads to; null for another controller or without one. */
  tagAt?(
    connection: DriverConnection & Options & { tags: readonly OwnTag[] },
    place: ToolPlace,
  ): OwnTag | null
  /** One try to reach the controller, beside the driver that reads it; never rejects. */
  probe?(
    connection: DriverConnection & Options & { tags: readonly OwnTag[] },
    deps: DriverDeps,
  ): Promise<AgentProbed>
}

/** A kind of driver whose file cannot be used here. */
export interface UnusableDriver {
  readonly path: string
  readonly reason: string
}

/** The kinds that a configuration may name, by their word. */
export type DriverKinds = ReadonlyMap<string, DriverKind | UnusableDriver>
