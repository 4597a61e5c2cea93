import { ammoniaChiller } from './ammonia-chiller.ts'
import { bakeryOven } from './bakery-oven.ts'
import { boosterPumps } from './booster-pumps.ts'
import { cncLathe } from './cnc-lathe.ts'
import { coolingTower } from './cooling-tower.ts'
import { demoTank } from './demo-tank.ts'
import { exhaustOxidiser } from './exhaust-oxidiser.ts'
import { injectionPress } from './injection-press.ts'
import { machiningCentre } from './machining-centre.ts'
import { materialFeeding } from './material-feeding.ts'
import { packagingLine } from './packaging-line.ts'
import { pasteuriserPlant } from './pasteuriser-plant.ts'
import { screwCompressor } from './screw-compressor.ts'
import type { Trade } from './trade.ts'
import { waterTreatment } from './water-treatment.ts'

/** The twelve trades of a demo installation, in the order a list shows them. */
export const trades: readonly Trade[] = [
  injectionPress,
  machiningCentre,
  boosterPumps,
  ammoniaChiller,
  screwCompressor,
  exhaustOxidiser,
  cncLathe,
  coolingTower,
  bakeryOven,
  waterTreatment,
  packagingLine,
  materialFeeding,
]

/** The demo machine that everybody may enter, apart from the twelve: its code is nineteen zeros. */
export { demoTank, pasteuriserPlant }

/** The trade of that id, the demo machine's `demo` included; undefined if there is none. */
export function findTrade(id: string): Trade | undefined {
  return id === demoTank.id ? demoTank : trades.find((trade) => trade.id === id)
}
