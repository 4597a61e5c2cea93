import type { Rig } from '@busbar/platform/test-support/isolation/testing/rig.ts'
import { createUser, grantMachine } from '@busbar/testkit'
import type { Browser } from 'playwright-core'
import { enterByPress, run, signInAs } from './page.ts'

const leave = `
  localStorage.setItem('secret', 'left')
  sessionStorage.setItem('secret', 'left')
  document.cookie = 'secret=left; path=/; max-age=999999'
  await new Promise((resolve, reject) => {
    const opening = indexedDB.open('secret', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('left')
    opening.onsuccess = () => { opening.result.close(); resolve() }
    opening.onerror = reject
  })
  await (await caches.open('secret')).put('/secret', new Response('left'))
  const folder = await navigator.storage.getDirectory()
  await folder.getFileHandle('secret', { create: true })
  await fetch('/cached').then((answer) => answer.text())`
const find = `
  const files = []
  for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name)
  return {
    'localStorage': Object.keys(localStorage).join(),
    'sessionStorage': Object.keys(sessionStorage).join(),
    'IndexedDB': (await indexedDB.databases()).map(({ name }) => name).join(),
    'Cache': (await caches.keys()).join(),
    'files': files.join(),
    'cookies': document.cookie,
    'HTTP cache': await fetch('/cached', { cache: 'only-if-cached', mode: 'same-origin' }).then((answer) => answer.ok ? answer.text() : '', () => ''),
  }`

/** One person after another at one browser, in one machine; the first leaves data everywhere. */
export async function findLeftovers(
  browser: Browser,
  { site, addStation }: Rig,
  how: 'left' | 'closed',
): Promise<Record<string, unknown>> {
  const first = await createUser(site.db)
  const second = await createUser(site.db)
  const station = await addStation(first)
  await grantMachine(site.db, second.userId, station.machine.machineId, { role: 'bkey' })
  station.answer = (stream, { path }) => {
    const caching = path === '/cached' ? { 'cache-control': 'max-age=86400, immutable' } : {}
    stream.respond({ ':status': 200, 'content-type': 'text/html', ...caching })
    stream.end(path === '/cached' ? 'left' : 'the page')
  }
  const context = await browser.newContext()
  try {
    await signInAs(context, site, first)
    let page = await context.newPage()
    await enterByPress(page, station.client.origin)
    await run(page, leave)
    const visit = await site.db
      .selectFrom('visits')
      .select('id')
      .where('user_id', '=', first.userId)
      .executeTakeFirstOrThrow()
    if (how === 'closed') {
      await page.close()
      page = await context.newPage()
      // The browser was closed: what lasts no longer than it is gone.
      await context.clearCookies({ name: 'visit' })
    }
    await site.platform.visits.visitPort.leave(visit.id, Date.now())
    if (how === 'left') await page.goto(`${station.client.origin}/again`)
    await signInAs(context, site, second)
    await enterByPress(page, station.client.origin)
    const entered = (await page.textContent('body')) === 'the page'
    return { entered, ...(await run<Record<string, unknown>>(page, find)) }
  } finally {
    await context.close()
  }
}
