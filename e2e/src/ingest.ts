import type { TestMachine } from '@busbar/testkit'
import { expect } from 'vitest'
import type { Site } from './site.ts'

/** Values of a machine at a time, epoch milliseconds. */
export interface Sample {
  readonly ts: number
  readonly values: object
}

const samplesPerMessage = 900

/** Sends what a machine measured, as a machine without an agent does, in as many messages as it takes. */
export async function sendSamples(
  { url }: Pick<Site, 'url'>,
  { code, secret }: Pick<TestMachine, 'code' | 'secret'>,
  samples: readonly Sample[],
): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`
  for (let first = 0; first < samples.length; first += samplesPerMessage) {
    const answer = await fetch(`${url}/api/v1/ingest`, {
      method: 'POST',
      body: JSON.stringify(samples.slice(first, first + samplesPerMessage)),
      headers: { 'content-type': 'application/json', authorization },
    })
    expect(answer.status, await answer.clone().text()).toBe(200)
  }
}
