/**
 * Measures a first visit as Lighthouse rates it, a desktop and a mid-range phone on a slow line: `npm run
 * bench -- lighthouse`, or one of them by its name behind it. The tests' needs have to be installed (`npm
 * test` fetches them).
 */
import { createUser, signIn } from '@busbar/testkit'
import { createFleet } from '../e2e/src/fleet.ts'
import { categories, type FormFactor, type Report, startLighthouse } from '../e2e/src/lighthouse.ts'
import { startSite } from '../e2e/src/site.ts'
import { sessionCookies } from '../e2e/src/view.ts'
import { testEnvironment } from '../tools/test-needs.mjs'
import { describeMachine, printRows, type Row } from './src/report.ts'

const scoreMin: Readonly<Record<FormFactor, number>> = { desktop: 98, mobile: 85 }
/** Enough for a few screens. */
const machines = 200
const rounds = 5

Object.assign(process.env, testEnvironment(process.env))
console.log(describeMachine())
const site = await startSite()
const db = await site.openDatabase()
const rig = await startLighthouse()
const figures: Row[] = []

async function measure(what: string, path: string, formFactor: FormFactor): Promise<void> {
  const reports: Report[] = []
  for (let round = 0; round < rounds; round++)
    reports.push(await rig.rate(new URL(path, site.url).href, formFactor))
  reports.sort((a, b) => (a.scores.performance ?? 0) - (b.scores.performance ?? 0))
  const middle = reports[rounds >> 1] as Report
  figures.push({
    what: `${what}, ${formFactor}: ${categories.join(', ')}`,
    figure: `${categories.map((category) => middle.scores[category]).join(', ')} (performance ${reports
      .map(({ scores }) => scores.performance)
      .join(' ')})`,
    target: `at least ${scoreMin[formFactor]}`,
    met: (middle.scores.performance ?? 0) >= scoreMin[formFactor],
  })
  console.log(`${what}, ${formFactor}, lost to: ${middle.losses.join('; ') || 'nothing'}`)
}

try {
  const person = await createUser(db, { lang: 'en' })
  await createFleet(db, person.userId, machines)
  const { token } = await signIn(db, person.userId)
  const [asked] = process.argv.slice(2)
  for (const formFactor of ['desktop', 'mobile'] as const) {
    if (asked !== undefined && asked !== formFactor) continue
    await rig.setCookies([])
    await measure('sign-in', '/login?lang=en', formFactor)
    await rig.setCookies(sessionCookies(site, token))
    await measure(`${machines} machines`, '/index/?lang=en', formFactor)
  }
  printRows(figures)
} finally {
  await rig.close()
  await db.destroy()
  await site.stop()
}
