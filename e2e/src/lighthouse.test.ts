import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createUser, signIn } from '@busbar/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFleet } from './fleet.ts'
import { type FormFactor, type LighthouseRig, startLighthouse } from './lighthouse.ts'
import { type OwnSite, startSite } from './site.ts'
import { sessionCookies } from './view.ts'

/* Lighthouse's findings that do not depend on the machine's speed. `npm run bench -- lighthouse` measures the
   speed of a first visit, and console/budgets.mjs limits the size of its files. */

const lasting = ['accessibility', 'best-practices'] as const
const sound = { scores: { accessibility: 100, 'best-practices': 100 }, losses: [] }

let site: OwnSite
let rig: LighthouseRig
let db: Database

beforeAll(async () => {
  site = await startSite()
  db = await site.openDatabase()
  rig = await startLighthouse()
})

afterAll(async () => {
  await rig?.close()
  await db?.destroy()
  await site?.stop()
})

const rate = (path: string, formFactor: FormFactor) =>
  rig.rate(new URL(path, site.url).href, formFactor, lasting)

describe('Lighthouse', () => {
  it('finds the sign-in accessible and sound on a phone', async () => {
    expect(await rate('/login?lang=en', 'mobile')).toEqual(sound)
  })

  it('finds the device list accessible and sound', async () => {
    const person = await createUser(db, { lang: 'en' })
    await createFleet(db, person.userId, 20)
    const { token } = await signIn(db, person.userId)
    await rig.setCookies(sessionCookies(site, token))
    expect(await rate('/index/?lang=en', 'desktop')).toEqual(sound)
  })
})
