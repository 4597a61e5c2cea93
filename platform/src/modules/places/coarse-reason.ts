import type { CoarseReason, PlaceSource } from '@busbar/contract'

/** An exact place leads people to the machine. */
const exactM = 100
const wifiMin = 2

interface Known {
  readonly source: PlaceSource
  readonly accuracyM: number | null
  /** How much a machine told in the last day. */
  readonly cells: number
  readonly wifi: number
  /** Whether a provider of the operator’s takes them. */
  readonly isTaken: boolean
}

/** Why a place is coarse, as a person can change it; null: it is exact, or a person set it. */
export function coarseReasonOf({ source, accuracyM, cells, wifi, isTaken }: Known): CoarseReason | null {
  if (source === 'manual' || source === 'search' || (accuracyM ?? 0) <= exactM) return null
  if (source === 'gps') return 'weakSatellites'
  if (source === 'wifi') return 'accessPoints'
  const hears = wifi >= wifiMin || cells > 0
  if (source === 'ip' && hears) return isTaken ? 'signalsUnknown' : 'noProvider'
  if (source === 'ip') return 'networkAddress'
  return wifi >= wifiMin ? 'accessPointsUnknown' : 'baseStations'
}
