import { demoTank, trades } from './index.ts'
import { pasteuriserPlant } from './pasteuriser-plant.ts'
import type { Texts } from './trade.ts'

/** A machine of the demo, as `demo-machines.json` lists it for the platform. */
export interface CatalogueEntry {
  /** `modbus` for the machine behind the Modbus server, `demo` for the one everybody may enter. */
  trade: string
  machineType: string
  model: string
  name: Texts
  remark: Texts
  /** WGS-84. */
  lat: number
  lng: number
  address: Texts
  /** As the contract counts them: 1 found by itself, 2 set by hand; ways 1 satellite, 3 base station. */
  locationType: 1 | 2
  locationWay: 1 | 3 | null
}

/** The demo's machines: the twelve trades, the Modbus machine, the demo machine. */
export function listCatalogue(): CatalogueEntry[] {
  return [...trades, pasteuriserPlant, demoTank].map(
    ({ id, machineType, model, name, remark, place: { lat, lng, address, source } }) => ({
      trade: id,
      machineType,
      model,
      name,
      remark,
      lat,
      lng,
      address,
      locationType: source === undefined ? 2 : 1,
      locationWay: source === undefined ? null : source === 'gps' ? 1 : 3,
    }),
  )
}
