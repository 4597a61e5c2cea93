import type { ToldCell, ToldWifi } from '@busbar/link'
import { z } from 'zod'
import { askJson, ProviderFailed } from '../../../kernel/outgoing-http/ask-json.ts'
import { convertPoint } from '../coordinates.ts'
import { amapEnvelope, amapLocation, type KeyedService, refuseAmap } from './amap.ts'
import type { PositionProvider, Signals } from './position-provider.ts'

const wifiMin = 2
/** The service wants a strength with each cell. */
const unknownSignalDbm = -100

const located = z.object({
  ...amapEnvelope,
  result: z
    .union([
      // It found nothing.
      z.object({ type: z.literal('0') }),
      z.object({ type: z.string(), location: amapLocation, radius: z.coerce.number().min(0) }),
    ])
    .optional(),
})

/**
 * AMap’s positioning of hardware (lbs.amap.com/api/webservice/guide/api/hardware-location), built after its
 * documentation. It answers in GCJ-02, and takes no cells of 5G.
 */
export function openAmapPositions({ url, key }: KeyedService): PositionProvider {
  return {
    name: 'amapPositions',
    canLocate: (signals) => queryOf(signals) !== undefined,
    async locate(signals) {
      const query = queryOf(signals)
      if (!query) return
      const asked = new URLSearchParams({ key, output: 'json', imei: signals.device, ...query })
      const { result, ...answer } = await askJson(new URL(`/position?${asked}`, url), located)
      if (answer.status !== '1') refuseAmap(answer)
      if (!result || !('location' in result)) return
      if (result.radius === 0) throw new ProviderFailed('noRadius', 'a position without a radius')
      const point = convertPoint(result.location, 'gcj02', 'wgs84')
      return { ...point, accuracyM: result.radius, source: 'macs' in query ? 'wifi' : 'cells' }
    },
  }
}

function queryOf({ cells = [], wifi = [] }: Signals): Record<string, string> | undefined {
  if (wifi.length >= wifiMin) return { accesstype: '1', macs: wifi.map(formatWifi).join('|') }
  const known = cells.flatMap((cell) => formatCell(cell) ?? [])
  const [used, ...others] = known
  if (used === undefined) return
  const near = others.length > 0 ? { nearbts: others.join('|') } : {}
  return { accesstype: '0', cdma: '0', bts: used, ...near }
}

const formatWifi = ({ mac, signalDbm, ssid = '' }: ToldWifi): string =>
  `${mac},${signalDbm},${ssid.replace(/[|,]/g, '')}`

function formatCell({ mcc, mnc, lac, tac, cellId, signalDbm }: ToldCell): string | undefined {
  const area = lac ?? tac
  if (area === undefined || cellId === undefined) return
  return [mcc, String(mnc).padStart(2, '0'), area, cellId, signalDbm ?? unknownSignalDbm].join()
}
