import { fileURLToPath } from 'node:url'
import { errorReason } from '../log.ts'
import type { DriverKind, DriverKinds, UnusableDriver } from './driver-kind.ts'
import { driverInterface } from './driver-kind.ts'
import { modbusTcpKind } from './modbus-tcp/modbus-kind.ts'
import { simulatedKind } from './simulated/simulated-kind.ts'

/** The kinds that are in the agent itself. */
export const baseKinds: DriverKinds = new Map<string, DriverKind>([
  [modbusTcpKind.kind, modbusTcpKind],
  [simulatedKind.kind, simulatedKind],
])

/** The kinds in separate files beside the agent. */
const optionalKinds = ['modbus-rtu', 'opcua', 's7'] as const

export const kindNames: readonly string[] = [...baseKinds.keys(), ...optionalKinds]

/** The file of an optional kind: beside the built agent, or among the sources. */
function driverFile(kind: string): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return new URL(isSource ? `${kind}/driver-file.ts` : `drivers/${kind}.mjs`, import.meta.url)
}

/**
 * The base kinds with those optional ones that are named. A file that is missing or of another version of the
 * agent does not reject: it is reported at the connection that names it.
 */
export async function loadKinds(
  named: Iterable<string>,
  fileOf: (kind: string) => URL = driverFile,
): Promise<DriverKinds> {
  const wanted = new Set(named)
  const loaded = await Promise.all(
    optionalKinds
      .filter((kind) => wanted.has(kind))
      .map(async (kind) => [kind, await loadKind(fileOf(kind))] as const),
  )
  return new Map([...baseKinds, ...loaded])
}

async function loadKind(file: URL): Promise<DriverKind | UnusableDriver> {
  const path = fileURLToPath(file)
  try {
    const module: { default: DriverKind } = await import(/* @vite-ignore */ file.href)
    if (module.default.driverInterface === driverInterface) return module.default
    return { path, reason: 'is of another version of the agent' }
  } catch (error) {
    const isMissing = errorReason(error) === 'ERR_MODULE_NOT_FOUND'
    return { path, reason: isMissing ? 'is missing' : `cannot be loaded: ${errorReason(error)}` }
  }
}
