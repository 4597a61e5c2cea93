import { demoTank, trades } from './index.ts'
import { modbusSheet } from './modbus-sheet.ts'
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
  address: string
}

/** The demo's machines: the twelve trades, the Modbus machine, the demo machine. */
export function listCatalogue(): CatalogueEntry[] {
  return [...trades, modbusSheet, demoTank].map(({ id, machineType, model, name, remark, place }) => ({
    trade: id,
    machineType,
    model,
    name,
    remark,
    lat: place.lat,
    lng: place.lng,
    address: `${place.address.cn} · ${place.address.en}`,
  }))
}
