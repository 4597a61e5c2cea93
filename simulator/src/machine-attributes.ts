import type { MachineProfile } from './profiles/profile.ts'
import { seedOf } from './random.ts'

/** The attributes that a machine reports; all texts, `signal` in dBm. */
export interface MachineAttributes {
  model: string
  firmware: string
  ip: string
  network: string
  signal?: string
}

/** The attributes of a machine; its address in the plant's network follows from its code. */
export function machineAttributes(code: string, profile: MachineProfile): MachineAttributes {
  const seed = seedOf(`${code}:ip`)
  const { kind, signalDbm } = profile.network
  return {
    model: profile.model,
    firmware: profile.firmware,
    ip: `192.168.${(seed >>> 8) % 32}.${10 + (seed % 200)}`,
    network: kind,
    ...(signalDbm === undefined ? {} : { signal: String(signalDbm) }),
  }
}
