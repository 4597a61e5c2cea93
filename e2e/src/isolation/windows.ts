import { accounts } from '@busbar/contract'
import type { Vector } from '@busbar/platform/test-support/isolation/testing/vector.ts'
import { type BrowserRig, openFrom } from './browser-rig.ts'
import { element, requestEnded, run } from './page.ts'

/** The evil page frames an address: the frame must show an error of the browser. */
const framed = (name: string, url: (rig: BrowserRig) => string): Vector<BrowserRig> => ({
  name: `${name} in a frame of the evil page`,
  async attack(rig) {
    const { page, good, site, victim } = rig
    const visits = () =>
      site.db.selectFrom('visits').select('id').where('user_id', '=', victim.userId).execute()
    const before = await visits()
    const frames = page.frames().length
    await run(page, `const url = ${JSON.stringify(url(rig))}; ${element('iframe', 'src')}`)
    const shown = await Promise.all(
      page
        .frames()
        .slice(frames)
        .map((frame) => frame.evaluate<string>('location.href')),
    )
    const reached = (await good.listArrivals()).filter((line) => line.includes('framed'))
    return {
      client: { saw: shown, wanted: ['chrome-error://chromewebdata/'] },
      beyond: { saw: [reached, await visits()], wanted: [[], before] },
    }
  },
})

/** Attacks by frames and windows, on the console and on another machine. */
export const windows: Vector<BrowserRig>[] = [
  framed('the console', ({ consoleOrigin }) => `${consoleOrigin}/login`),
  framed('the good machine’s page', ({ good }) => `${good.client.origin}/framed`),
  framed('the console’s way in', ({ consoleOrigin, good }) => {
    const query = new URLSearchParams({
      host: good.client.host.replace(/:.*/, ''),
      state: 'a'.repeat(43),
    })
    return `${consoleOrigin}/visit/authorize?${query}`
  }),
  framed('the visit host’s own page', ({ good }) => `${good.client.origin}/.busbar/left?framed`),
  {
    name: 'a window on the console',
    async attack(rig) {
      const { popup, isHeld, name } = await openFrom(rig, `${rig.consoleOrigin}/login`)
      const opener = await run(popup, 'return window.opener !== null')
      await popup.close()
      return {
        client: { saw: { isHeld, name }, wanted: { isHeld: false, name: '' } },
        beyond: { saw: opener, wanted: false },
      }
    },
  },
  {
    name: 'document.domain, to be one origin with the other machines',
    async attack({ page, good }) {
      const saw = await run(
        page,
        `const before = document.domain
        try { document.domain = 'visit.localhost' } catch {}
        return [originAgentCluster, document.domain === before]`,
      )
      return { client: { saw, wanted: [true, true] }, beyond: { saw: await good.listArrivals(), wanted: [] } }
    },
  },
  {
    name: 'a sign-out posted to the console',
    async attack({ context, page, consoleOrigin, site, victim }) {
      const url = `${consoleOrigin}/api/user/logout`
      const ended = requestEnded(context, url)
      const saw = await run(
        page,
        `return fetch(${JSON.stringify(url)}, { method: 'POST', mode: 'no-cors', credentials: 'include' }).then((answer) => answer.status, () => 'failed')`,
      )
      await ended
      const { userid } = await site.as(victim).call(accounts.selectInfo, {})
      return { client: { saw, wanted: 0 }, beyond: { saw: userid, wanted: victim.userId } }
    },
  },
  {
    name: 'the console’s API read with the victim’s cookies',
    async attack({ page, consoleOrigin, good }) {
      const saw = await run(
        page,
        `return fetch(${JSON.stringify(`${consoleOrigin}/api/user/v1/tokenInfo`)}, { credentials: 'include' }).then((answer) => answer.text(), () => 'failed')`,
      )
      return { client: { saw, wanted: 'failed' }, beyond: { saw: await good.listArrivals(), wanted: [] } }
    },
  },
]
