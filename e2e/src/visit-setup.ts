import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, type TestMachine } from '@busbar/testkit'
import type { Browser } from 'playwright-core'
import { type ModbusRig, type ModbusRigTarget, startModbusRig } from './modbus-rig.ts'
import type { Site } from './site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

/** A machine with its owner at a desk, and a person who applies for access. */
export interface VisitSetup {
  /** The owner's browser. */
  readonly key: View
  /** The other person's. */
  readonly guest: View
  readonly machine: TestMachine
  readonly modbusRig: ModbusRig
  readonly name: string
  /** The guest's, as others read it. */
  readonly guestName: string
  readonly guestAccount: string
}

interface Parts {
  readonly site: Site
  readonly browser: Browser
  readonly db: Database
  /** Pages of other devices beside the machine's agent. */
  readonly targets?: readonly ModbusRigTarget[]
  /** The owner's; by default the guest's language and theme at a desk. */
  readonly keyLook?: Look
}

const names = {
  cn: { machine: '一号杀菌机', owner: '王芳', guest: '李明' },
  en: { machine: 'Pasteuriser 1', owner: 'Ann Wang', guest: 'Ben Li' },
} as const

/** Starts the machine and signs both in, the guest with the look given, for as long as `work` takes. */
export async function withVisitSetup(
  { site, browser, db, targets = [], keyLook }: Parts,
  look: Look,
  work: (setup: VisitSetup) => Promise<void>,
): Promise<void> {
  const ownerLook = keyLook ?? { ...look, size: 'wide' }
  const { machine: name, owner: ownerName } = names[ownerLook.lang]
  const { guest: guestName } = names[look.lang]
  const owner = await createUser(db, { name: ownerName, lang: ownerLook.lang })
  const visitor = await createUser(db, { name: guestName, lang: look.lang })
  const machine = await createMachine(db, { name, owner: owner.userId })
  const modbusRig = await startModbusRig(site, machine, { tunnelUrl: site.tunnelUrl, targets })
  try {
    modbusRig.setHoldTemperature(72.5)
    await modbusRig.startAgent()
    await withView(browser, site, ownerLook, async (key) => {
      await signInDirectly(key, site, db, owner)
      await withView(browser, site, look, async (guest) => {
        await signInDirectly(guest, site, db, visitor)
        await work({ key, guest, machine, modbusRig, name, guestName, guestAccount: visitor.email })
      })
    })
  } finally {
    await modbusRig.close()
  }
}
