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
import type { MachineProfile } from './profile.ts'
import { reeferTruck } from './reefer-truck.ts'
import { screwCompressor } from './screw-compressor.ts'
import { waterTreatment } from './water-treatment.ts'

/** The twelve profiles of a demo installation, in the order a list shows them. */
export const profiles: readonly MachineProfile[] = [
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

/** Apart from the twelve: the demo machine that all users may enter, whose code is nineteen zeros, and one on wheels. */
export { demoTank, pasteuriserPlant, reeferTruck }

/** The profile of that id, the demo machine's `demo` and the truck included; undefined if there is none. */
export function findProfile(id: string): MachineProfile | undefined {
  return [...profiles, demoTank, reeferTruck].find((profile) => profile.id === id)
}
