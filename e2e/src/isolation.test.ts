import { keepAnswer, yes } from '@busbar/platform/test-support/isolation/testing/lax-rules.ts'
import { describeIsolation, type Vector } from '@busbar/platform/test-support/isolation/testing/vector.ts'
import type { Browser } from 'playwright-core'
import { beforeAll } from 'vitest'
import { ensureConsoleBuilt } from '../../tools/build.mjs'
import { type BrowserRig, startBrowserRig } from './isolation/browser-rig.ts'
import { cookies } from './isolation/cookies.ts'
import { crossings } from './isolation/crossings.ts'
import { storage } from './isolation/storage.ts'
import { windows } from './isolation/windows.ts'
import { shareSite } from './shared-site.ts'

let browser: Browser

beforeAll(async () => {
  await ensureConsoleBuilt()
  ;({ browser } = await shareSite())
})

const namesOf = (list: readonly Vector<BrowserRig>[], pattern = /./) =>
  list.map(({ name }) => name).filter((name) => pattern.test(name))

describeIsolation(
  'in a real browser',
  () => startBrowserRig(browser),
  [...crossings, ...windows, ...cookies, ...storage],
  [
    {
      name: 'the check of where a request comes from',
      start: () => startBrowserRig(browser, { checkFetchOrigin: yes }),
      // A preflight and a module carry no cookie, so they never belong to a visit.
      falls: [
        ...namesOf(crossings, /^(?!a WebSocket|a window|a PUT|a module)/),
        'the good machine’s page in a frame of the evil page',
      ],
    },
    {
      name: 'the check of where a WebSocket comes from',
      start: () => startBrowserRig(browser, { checkSocketOrigin: yes }),
      falls: ['a WebSocket'],
    },
    {
      name: 'the walls of a machine’s page',
      start: () => startBrowserRig(browser, { responseHeaders: keepAnswer }),
      falls: [
        'a window on the good page: it is opened as by a link, and not held',
        'a machine sets a cookie for all machines',
        'a machine sets a visit cookie for all machines',
      ],
    },
    {
      name: 'the clearing of what the last visitor left',
      start: () => startBrowserRig(browser, { clearing: () => '"none"' }),
      falls: namesOf(storage, /^(?:localStorage|sessionStorage|IndexedDB|Cache|files|HTTP cache) /),
    },
    {
      name: 'the refusal of service workers',
      start: () => startBrowserRig(browser, { isServiceWorker: () => false }),
      falls: [
        'a service worker, plainly',
        'a service worker, as a module',
        'a service worker, from a frame of its own',
      ],
    },
  ],
)
