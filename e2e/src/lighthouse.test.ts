import type { Database } from '@busbar/platform/database/database.ts'
import { createUser, signIn } from '@busbar/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFleet } from './fleet.ts'
import { type FormFactor, type LighthouseRig, startLighthouse } from './lighthouse.ts'
import { type Site, startSite } from './site.ts'
import { sessionCookies } from './view.ts'

/* What Lighthouse finds whatever the machine's speed. How fast a first visit is, `npm run bench -- lighthouse` measures,
   and console/budgets.mjs keeps small what it fetches. */

const lasting = ['accessibility', 'best-practices'] as const
const sound = { scores: { accessibility: 100, 'best-practices': 100 }, losses: [] }

let site: Site
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

describe.each(['desktop', 'mobile'] as const)('Lighthouse, %s', (formFactor) => {
  const rate = (path: string) =>
    rig.rate(new URL(path, site.url).href, formFactor satisfies FormFactor, lasting)

  it('finds the sign-in accessible and sound', async () => {
    await rig.setCookies([])
    expect(await rate('/login?lang=en')).toEqual(sound)
  })

  it('finds the device list accessible and sound', async () => {
    const person = await createUser(db, { lang: 'en' })
    await createFleet(db, person.userId, 20, formFactor === 'desktop' ? 1 : 21)
    const { token } = await signIn(db, person.userId)
    await rig.setCookies(sessionCookies(site, token))
    expect(await rate('/index/?lang=en')).toEqual(sound)
  })
})
