import type { TestBrowser } from '@busbar/testkit'
import { type Rig, type RigOptions, startRig } from './rig.ts'

/** Steps of the way in. */
export const atConsole = 1
export const withCode = 2
export const cleared = 3

/** Goes this number of steps of the way in to a path; answers the address of the next one. */
export async function walk(browser: TestBrowser, host: string, steps: number, path = '/'): Promise<URL> {
  let url = new URL(`http://${host}${path}`)
  for (let count = 0; count < steps; count++) {
    const { headers, status, text } = await browser.stepIn(url)
    if (!headers.location) throw new Error(`step ${count} of the way in ended with ${status} ${text}`)
    url = new URL(headers.location, url)
  }
  return url
}

/** A platform that gets at most as many codes a minute as an address may swap. */
export async function startCodeRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await startRig(options)
  let attacks = 0
  return {
    ...rig,
    reset() {
      rig.reset()
      // An address may swap only a limited number of codes a minute.
      if (++attacks % 8 === 0) rig.clock.offsetMs += 61_000
    },
  }
}
