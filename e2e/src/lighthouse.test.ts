import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createUser, signIn } from '@busbar/testkit'
import { pickTurns } from '@busbar/testkit/turns.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFleet } from './fleet.ts'
import { type FormFactor, type LighthouseRig, startLighthouse } from './lighthouse.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { sessionCookies } from './view.ts'

/* Lighthouse's findings that do not depend on the machine's speed. `npm run bench -- lighthouse` measures the
   speed of a first visit, and console/budgets.mjs limits the size of its files. */

const lasting = ['accessibility', 'best-practices'] as const
const sound = { scores: { accessibility: 100, 'best-practices': 100 }, losses: [] }

let site: Site
let rig: LighthouseRig
let db: Database

beforeAll(async () => {
  ;({ site, db } = await shareSite())
  rig = await startLighthouse()
})

afterAll(() => rig?.close())

const rate = (path: string, formFactor: FormFactor) =>
  rig.rate(new URL(path, site.url).href, formFactor, lasting)

/** Pages with how they are looked at, and the fleet of their person, who is signed in. */
const pages = [
  { page: 'the sign-in', path: '/login?lang=en', formFactor: 'mobile', machines: 0 },
  { page: 'the device list', path: '/index/?lang=en', formFactor: 'desktop', machines: 20 },
] as const

describe('Lighthouse', () => {
  it.each(pickTurns('Lighthouse', pages))(
    'finds $page accessible and sound, on $formFactor',
    async ({ path, formFactor, machines }) => {
      if (machines > 0) {
        const person = await createUser(db, { lang: 'en' })
        await createFleet(db, person.userId, machines)
        const { token } = await signIn(db, person.userId)
        await rig.setCookies(sessionCookies(site, token))
      }
      expect(await rate(path, formFactor)).toEqual(sound)
    },
  )
})
