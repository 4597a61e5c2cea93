import { expect, test } from 'vitest'
import type { NoVisit, VisitName } from '../modules/visits/index.ts'
import { type AdmissionDeps, Admissions } from './admission.ts'

const here = '192.0.2.1'
const name = {} as VisitName

/** Look-ups that all wait, as while rights are read, until `end`. */
function startWaiting() {
  const { promise, resolve } = Promise.withResolvers<NoVisit>()
  const visitPort = { find: () => promise, isKnown: (cookie: string) => cookie.startsWith('known') }
  const admissions = new Admissions({ visitPort, now: () => 0 } as unknown as AdmissionDeps)
  return {
    look: (count: number, cookieOf: (at: number) => string, address = here) =>
      Array.from({ length: count }, (_, at) => admissions.findByCookie(cookieOf(at), name, address)),
    end: () => resolve('unknown'),
  }
}

/** How many look-ups were refused because of their number. */
async function countRefused(asked: readonly ReturnType<Admissions['findByCookie']>[]): Promise<number> {
  const found = await Promise.all(asked)
  return found.filter((answer) => answer.kind === 'refused' && answer.refusal.reason === 'tooMany').length
}

test('visitors behind one address do not turn each other away while they wait for rights', async () => {
  const { look, end } = startWaiting()
  const guessed = look(100, (at) => `guess ${at}`)
  const visitors = look(300, (at) => `known ${at % 5}`)
  end()
  expect([await countRefused(guessed), await countRefused(visitors)]).toEqual([36, 0])
})

test('neither one visit nor all addresses together make endless look-ups wait', async () => {
  const { look, end } = startWaiting()
  const one = look(100, () => 'known')
  const others = Array.from({ length: 20 }, (_, at) => look(64, () => 'guess', `192.0.2.${at}`)).flat()
  end()
  expect([await countRefused(one), await countRefused(others)]).toEqual([36, 20 * 64 - (1_024 - 64)])
})
