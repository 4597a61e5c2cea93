import type { Vector } from '@busbar/platform/test-support/isolation/testing/vector.ts'
import type { BrowserRig } from './browser-rig.ts'
import { run } from './page.ts'

/** The console's session has this form; a device may call a cookie of another form `token`. */
const session = `planted${'a'.repeat(36)}`
const isPlanted = ({ value }: { readonly value: string }): boolean => value.startsWith('planted')

/** The evil page sets a cookie by script; the good machine and the console keep working. */
const scripted = (
  name: string,
  cookie: string,
  wanted: { good: number; carried: boolean } = { good: 200, carried: false },
): Vector<BrowserRig> => ({
  name: `a script sets ${name}`,
  async attack(rig) {
    const { context, page, consoleOrigin } = rig
    await run(page, `document.cookie = ${JSON.stringify(cookie)}; return 1`)
    const seen = await lookAtGood(rig)
    const signedIn = await isSignedIn(rig)
    const atConsole = (await context.cookies(consoleOrigin)).filter(isPlanted)
    await context.clearCookies({ name: cookie.split('=', 1)[0]?.trim() ?? '', domain: '.visit.localhost' })
    return {
      client: { saw: seen, wanted },
      beyond: { saw: [signedIn, atConsole.length], wanted: [true, 0] },
    }
  },
})

/** The good machine's page in this browser, and whether a planted cookie reached the machine. */
async function lookAtGood({ context, good }: BrowserRig) {
  const page = await context.newPage()
  const answer = await page.goto(`${good.client.origin}/looked`)
  await page.close()
  const carried = good.arrivals.some(({ headers }) => String(headers.cookie).includes('planted'))
  return { good: answer?.status() ?? 0, carried }
}

async function isSignedIn({ context, consoleOrigin }: BrowserRig): Promise<boolean> {
  const answer = await context.request.post(`${consoleOrigin}/api/user/selectInfo`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  return answer.ok()
}

/** The evil machine sets a cookie with its page. */
const answered = (name: string, line: string): Vector<BrowserRig> => ({
  name: `a machine sets ${name}`,
  async attack(rig) {
    const { context, evil, page } = rig
    evil.answer = (stream) => {
      stream.respond({ ':status': 200, 'set-cookie': [line] })
      stream.end('the page')
    }
    await run(page, `return fetch('/sets').then((answer) => answer.text())`)
    const beyond = (await context.cookies()).filter(
      (cookie) => isPlanted(cookie) && cookie.domain !== evil.client.host.replace(/:.*/, ''),
    )
    const seen = await lookAtGood(rig)
    return {
      client: { saw: beyond.map(({ domain }) => domain), wanted: [] },
      beyond: { saw: [seen, await isSignedIn(rig)], wanted: [{ good: 200, carried: false }, true] },
    }
  },
})

/** Cookies that reach further than allowed. */
export const cookies: Vector<BrowserRig>[] = [
  {
    name: 'a script reads the visit cookie',
    async attack({ page, good }) {
      const saw = await run<string>(page, 'return document.cookie')
      return {
        client: { saw: /visit|token/.test(saw), wanted: false },
        beyond: { saw: await good.listArrivals(), wanted: [] },
      }
    },
  },
  {
    name: 'a script sets the visit cookie anew',
    async attack({ context, page, evil, good }) {
      const before = (await context.cookies(evil.client.origin)).find(({ name }) => name === 'visit')?.value
      await run(
        page,
        `document.cookie = 'visit=planted; path=/'; document.cookie = 'visit=; path=/; max-age=0'; return 1`,
      )
      const after = (await context.cookies(evil.client.origin)).find(({ name }) => name === 'visit')?.value
      return {
        client: { saw: after, wanted: before },
        beyond: { saw: await good.listArrivals(), wanted: [] },
      }
    },
  },
  scripted(
    'a visit cookie for all machines: of two, none is believed',
    'visit=planted; domain=visit.localhost; path=/',
    {
      good: 400,
      carried: false,
    },
  ),
  scripted('a visit cookie for the console’s name', 'visit=planted; domain=localhost; path=/'),
  scripted('a session for all machines', `token=${session}; domain=visit.localhost; path=/`),
  scripted('a session for the console', `token=${session}; domain=localhost; path=/`),
  scripted('the sign of a session for the console', 'loggedIn=planted; domain=.localhost; path=/'),
  answered('a cookie for all machines', 'all=planted; Domain=visit.localhost; Path=/'),
  answered('a cookie for the console', 'all=planted; Domain=localhost; Path=/'),
  answered('a session for all machines', `token=${session}; Domain=visit.localhost; Path=/`),
  answered(
    'a cookie of its own called token for all machines',
    'token=planted; Domain=visit.localhost; Path=/',
  ),
  answered('a visit cookie for all machines', 'visit=planted; Domain=visit.localhost; Path=/'),
]
