import type { Outcome, Vector } from '@busbar/platform/test-support/isolation/testing/vector.ts'
import type { BrowserRig } from './browser-rig.ts'
import { nextNumber, run } from './page.ts'

/** A script that tries to stay in the browser: none succeeds. The machine answers it as it should be. */
const worker = (name: string, script: string): Vector<BrowserRig> => ({
  name: `a service worker, ${name}`,
  async attack({ context, page, evil }) {
    evil.answer = (stream, { path }) => {
      stream.respond({
        ':status': 200,
        'content-type': path.includes('.js') ? 'text/javascript' : 'text/html',
        'cache-control': 'public, max-age=86400, immutable',
        'service-worker-allowed': '/',
      })
      stream.end(
        path.includes('.js')
          ? 'self.onfetch = (event) => event.respondWith(new Response("kept"))'
          : 'the page',
      )
    }
    const saw = await run(
      page,
      `const file = '/worker-${nextNumber()}.js'
      try { ${script} } catch { return ['refused', (await navigator.serviceWorker.getRegistrations()).length] }
      const kept = await navigator.serviceWorker.getRegistrations()
      for (const one of kept) await one.unregister()
      return ['registered', kept.length]`,
    )
    const asWorker = evil.arrivals.filter(({ headers }) => headers['service-worker'] !== undefined)
    return {
      client: { saw, wanted: ['refused', 0] },
      beyond: { saw: [asWorker.length, context.serviceWorkers().length], wanted: [0, 0] },
    }
  },
})

/** The next person must not find data that a visit left in the browser. */
const leftover = (kind: string, how: 'left' | 'closed'): Vector<BrowserRig> => ({
  name: `${kind} of the last visitor, who ${how === 'left' ? 'left' : 'closed the window'}`,
  async attack(rig): Promise<Outcome> {
    const { [kind]: saw, entered } = await rig.findLeftovers(how)
    return { client: { saw, wanted: '' }, beyond: { saw: entered, wanted: true } }
  },
})

/** Data that could stay in the browser after a visit. */
export const storage: Vector<BrowserRig>[] = [
  worker('plainly', `await navigator.serviceWorker.register(file)`),
  worker('as a module', `await navigator.serviceWorker.register(file, { type: 'module' })`),
  worker(
    'for the whole host, from deep within',
    `await navigator.serviceWorker.register('/deep' + file, { scope: '/' })`,
  ),
  worker(
    'out of the browser’s cache',
    `await fetch(file).then((answer) => answer.text()); await navigator.serviceWorker.register(file, { updateViaCache: 'all' })`,
  ),
  worker(
    'out of the browser’s cache as a script',
    `await new Promise((resolve) => { const element = document.createElement('script'); element.onload = element.onerror = resolve; element.src = file; document.body.append(element) }); await navigator.serviceWorker.register(file, { updateViaCache: 'all' })`,
  ),
  worker(
    'out of a blob',
    `await navigator.serviceWorker.register(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' })))`,
  ),
  worker('out of the address itself', `await navigator.serviceWorker.register('data:text/javascript,1')`),
  worker(
    'from a frame of its own',
    `const frame = document.createElement('iframe')
    frame.src = '/frame'
    await new Promise((resolve) => { frame.onload = resolve; document.body.append(frame) })
    await frame.contentWindow.navigator.serviceWorker.register(file)`,
  ),
  ...['localStorage', 'sessionStorage', 'IndexedDB', 'Cache', 'files', 'cookies', 'HTTP cache'].map((kind) =>
    leftover(kind, 'left'),
  ),
  ...['localStorage', 'IndexedDB', 'Cache', 'files', 'cookies', 'HTTP cache'].map((kind) =>
    leftover(kind, 'closed'),
  ),
]
