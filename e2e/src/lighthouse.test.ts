import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LighthouseRig, startLighthouse } from './lighthouse.ts'
import { shareSite } from './shared-site.ts'

/* Lighthouse's findings that do not depend on the machine's speed, and that axe does not have (every-page.test.ts). `npm run bench -- lighthouse` rates more pages and the
   speed of a first visit, and console/budgets.mjs limits the size of its files. */

const { site } = await shareSite()
let rig: LighthouseRig

beforeAll(async () => {
  rig = await startLighthouse()
})

afterAll(() => rig?.close())

it('Lighthouse finds the sign-in sound, on a phone', async () => {
  const report = await rig.rate(new URL('/login?lang=en', site.url).href, 'mobile', ['best-practices'])
  expect(report).toEqual({ scores: { 'best-practices': 100 }, losses: [] })
})
