import { seedOf } from './random.ts'
import type { Trade } from './trades/trade.ts'

/** The attributes that a machine reports; all texts, `signal` in dBm. */
export interface MachineAttributes {
  model: string
  firmware: string
  ip: string
  network: string
  signal?: string
}

/** The attributes of a machine; its address in the plant's network follows from its code. */
export function machineAttributes(code: string, trade: Trade): MachineAttributes {
  const seed = seedOf(`${code}:ip`)
  const { kind, signalDbm } = trade.network
  return {
    model: trade.model,
    firmware: trade.firmware,
    ip: `192.168.${(seed >>> 8) % 32}.${10 + (seed % 200)}`,
    network: kind,
    ...(signalDbm === undefined ? {} : { signal: String(signalDbm) }),
  }
}
