import { z } from 'zod'
import { askJson, ProviderFailed } from '../../../kernel/outgoing-http/ask-json.ts'
import { convertPoint } from '../coordinates.ts'
import type { KeyedService } from './amap.ts'
import type { PositionProvider, Signals } from './position-provider.ts'
import { nothingFound, refuseTencent } from './tencent.ts'

const wifiMin = 2

const located = z.object({
  status: z.int(),
  message: z.string().default(''),
  result: z
    .object({
      location: z.object({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
        accuracy: z.number().min(0),
      }),
    })
    .optional(),
})

/**
 * Tencent’s positioning of hardware (lbs.qq.com/service/webService/webServiceGuide/location), built after its
 * documentation. It answers in GCJ-02, and takes cells of 4G and 5G.
 */
export function openTencentPositions({ url, key }: KeyedService): PositionProvider {
  return {
    name: 'tencentPositions',
    canLocate: (signals) => bodyOf(signals) !== undefined,
    async locate(signals) {
      const body = bodyOf(signals)
      if (!body) return
      const address = new URL('/ws/location/v1/network', url)
      const asked = { key, device_id: signals.device, ...body }
      const { result, ...answer } = await askJson(address, located, { body: asked })
      if (answer.status === nothingFound) return
      if (answer.status !== 0) refuseTencent(answer)
      if (!result) return
      const { latitude: lat, longitude: lng, accuracy } = result.location
      if (accuracy === 0) throw new ProviderFailed('noRadius', 'a position without a radius')
      const point = convertPoint({ lat, lng }, 'gcj02', 'wgs84')
      return { ...point, accuracyM: accuracy, source: 'wifiinfo' in body ? 'wifi' : 'cells' }
    },
  }
}

function bodyOf({ cells = [], wifi = [] }: Signals): object | undefined {
  if (wifi.length >= wifiMin)
    return {
      wifiinfo: wifi.map(({ mac, signalDbm }) => ({ mac: mac.replaceAll(':', ''), rssi: signalDbm })),
    }
  // Its `lac` is the tracking area of 4G and 5G, and its `cellid` the `nci` of 5G.
  const cellinfo = cells.flatMap(({ mcc, mnc, lac, tac, cellId, nci, signalDbm }) => {
    const [area, cellid] = [lac ?? tac, cellId ?? nci]
    const known = { mcc, mnc, lac: area, cellid, ...(signalDbm === undefined ? {} : { rss: signalDbm }) }
    return area === undefined || cellid === undefined ? [] : [known]
  })
  return cellinfo.length > 0 ? { cellinfo } : undefined
}
