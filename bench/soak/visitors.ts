import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, enterVisit, type TestUser } from '@busbar/testkit'
import { type ModbusRig, startModbusRig } from '../../e2e/src/modbus-rig.ts'
import type { Site } from '../../e2e/src/site.ts'

const askEveryMs = 500

/** People inside machines' pages, each with two requests per second. */
export interface Visitors {
  /** Answers of machines so far. */
  answers(): number
  /** Why requests failed, with how often. */
  failures(): ReadonlyMap<string, number>
  close(): Promise<void>
}

/** Starts agents with their controllers, and a visit to each. */
export async function startVisitors(
  site: Site,
  db: Database,
  person: TestUser,
  count: number,
): Promise<Visitors> {
  const modbusRigs: ModbusRig[] = []
  let answers = 0
  const failures = new Map<string, number>()
  const fail = (why: string) => failures.set(why, (failures.get(why) ?? 0) + 1)
  const timers: NodeJS.Timeout[] = []
  const close = async () => {
    for (const timer of timers) clearInterval(timer)
    for (const modbusRig of modbusRigs) await modbusRig.close()
  }
  try {
    for (let place = 0; place < count; place++) {
      const machine = await createMachine(db, { name: `Visited ${place}`, owner: person.userId })
      const modbusRig = await startModbusRig(site, machine, { tunnelUrl: site.tunnelUrl })
      modbusRigs.push(modbusRig)
      await modbusRig.startAgent()
      const visit = await enterWhenOpen(site, person, machine)
      timers.push(
        setInterval(() => {
          visit.request('/').then(
            ({ status }) => (status === 200 ? answers++ : fail(`HTTP ${status}`)),
            (error: unknown) => fail(String(error)),
          )
        }, askEveryMs),
      )
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    answers: () => answers,
    failures: () => failures,
    close,
  }
}

/** The tunnel takes a moment to open. */
async function enterWhenOpen(site: Site, person: TestUser, machine: { code: string }) {
  const webPort = Number(new URL(site.url).port)
  for (let tries = 0; ; tries++) {
    try {
      return await enterVisit({ webPort }, person, machine)
    } catch (error) {
      if (tries >= 40) throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}
