import type { RemoteDocument } from '@busbar/link'
import { hostOf } from './remote-kinds.ts'

/** Ports from the first to the last, both of them included. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

/** Ports by the kind of driver. */
export type PortsByKind = Readonly<Partial<Record<string, readonly PortRange[]>>>

/** The port of each kind that has a host, which the platform may reach unless the agent's file names others. */
const usualPorts: Readonly<Record<string, number>> = {
  'modbus-tcp': 502,
  'modbus-rtu': 502,
  opcua: 4840,
  s7: 102,
}

/** The kinds for which the agent's file can name ports. */
export const kindsWithPorts: readonly string[] = Object.keys(usualPorts)

/** `502` or `1500-1510`; null for any other text. */
export function parsePortRange(text: string): PortRange | null {
  const [, firstText = '', lastText = firstText] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? []
  const [first, last] = [Number(firstText), Number(lastText)]
  return first >= 1 && first <= last && last <= 65_535 ? { first, last } : null
}

/** Of a connection of a document or a checked one. */
interface WithPort {
  readonly driver: string
  readonly port?: number
  readonly line?: { readonly port?: number }
  readonly url?: string
}

/** The port that a connection of a document, or a checked one, leads to. */
export function portOf(connection: object): number {
  const { driver, port, line, url } = connection as WithPort
  const named = url === undefined ? (port ?? line?.port) : Number(new URL(url).port)
  return named || (usualPorts[driver] ?? 0)
}

/**
 * The ports that connections from the platform may have: with any port, who may set up connections could try each
 * service of the plant.
 */
export class RemotePorts {
  readonly #ports: PortsByKind
  readonly #kept: ReadonlySet<string>

  /**
   * `named`: those of the agent's file, which replace the usual one of their kind. `kept`: the document that was in effect
   * before files could name ports; its connections stay as long as the file names none.
   */
  constructor(named: PortsByKind | null, kept: RemoteDocument | null) {
    this.#ports = named ?? {}
    const connections = named === null ? (kept?.connections ?? []) : []
    this.#kept = new Set(connections.map(placeOf))
  }

  /** Why a connection may not have its port, in words that follow its field; null if it may. */
  refusal(connection: object): string | null {
    if (this.isUsual(connection) || this.#kept.has(placeOf(connection))) return null
    const open = this.#rangesOf(connection).map(({ first, last }) =>
      first === last ? `${first}` : `${first}-${last}`,
    )
    return `is port ${portOf(connection)}, which is outside the ports that the agent's file allows: ${open.join(', ')}`
  }

  /** The first ports of a kind of driver, `most` of them. */
  list(driver: string, most: number): number[] {
    return this.#rangesOf({ driver })
      .flatMap(({ first, last }) =>
        Array.from({ length: Math.min(most, last - first + 1) }, (_, index) => first + index),
      )
      .slice(0, most)
  }

  /** Whether the port is allowed by itself, and not only because it was there before. */
  isUsual(connection: object): boolean {
    const port = portOf(connection)
    return this.#rangesOf(connection).some(({ first, last }) => first <= port && port <= last)
  }

  #rangesOf(connection: object): readonly PortRange[] {
    const { driver } = connection as WithPort
    const usual = usualPorts[driver] ?? 0
    return this.#ports[driver] ?? [{ first: usual, last: usual }]
  }
}

function placeOf(connection: object): string {
  return JSON.stringify([(connection as WithPort).driver, hostOf(connection), portOf(connection)])
}
