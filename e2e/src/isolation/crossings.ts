import type { Vector } from '@busbar/platform/test-support/isolation/testing/vector.ts'
import { type BrowserRig, openFrom } from './browser-rig.ts'
import { element, nextNumber, requestEnded, run } from './page.ts'

/** A script of the evil page, given `url` of the good machine: it learns nothing, and nothing arrives there. */
const crossing = (name: string, script: string, wanted: unknown = 'failed'): Vector<BrowserRig> => ({
  name,
  async attack({ context, page, good }) {
    const path = `/crossed-${nextNumber()}`
    const url = `${good.client.origin}${path}`
    const ended = /WebSocket/.test(script) ? undefined : requestEnded(context, url)
    const saw = await run(page, `const url = ${JSON.stringify(url)}; ${script}`)
    await ended
    return {
      client: { saw, wanted },
      beyond: { saw: (await good.listArrivals()).filter((line) => line.includes(path)), wanted: [] },
    }
  },
})

/** Attacks of one machine’s page on another. */
export const crossings: Vector<BrowserRig>[] = [
  crossing(
    'a fetch with the victim’s cookies',
    `return fetch(url, { credentials: 'include' }).then((answer) => answer.text(), () => 'failed')`,
  ),
  crossing(
    'a fetch without CORS',
    `return fetch(url, { credentials: 'include', mode: 'no-cors' }).then((answer) => answer.type, () => 'failed')`,
  ),
  crossing(
    'a POST without CORS',
    `return fetch(url, { method: 'POST', body: 'stop=1', credentials: 'include', mode: 'no-cors' }).then((answer) => answer.type, () => 'failed')`,
  ),
  crossing(
    'a PUT, which is asked for beforehand',
    `return fetch(url, { method: 'PUT', credentials: 'include' }).then((answer) => answer.text(), () => 'failed')`,
  ),
  crossing(
    'an XMLHttpRequest',
    `return new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.withCredentials = true
      request.onload = () => resolve(request.responseText)
      request.onerror = () => resolve('failed')
      request.open('GET', url)
      request.send()
    })`,
  ),
  crossing('a picture', element('img', 'src')),
  crossing('a script', element('script', 'src')),
  crossing('a style sheet', element('link', 'href', `element.rel = 'stylesheet'`)),
  crossing('a video', element('video', 'src')),
  crossing('a module', `return import(url).then(() => 'loaded', () => 'failed')`),
  crossing(
    'a frame',
    `${element('iframe', 'src')}.then(() => { try { return document.querySelector('iframe:last-of-type').contentWindow.document.body.innerText } catch { return 'failed' } })`,
  ),
  crossing(
    'an EventSource',
    `return new Promise((resolve) => {
      const source = new EventSource(url, { withCredentials: true })
      source.onopen = () => { source.close(); resolve('open') }
      source.onerror = () => { source.close(); resolve('failed') }
    })`,
  ),
  crossing(
    'a WebSocket',
    `return new Promise((resolve) => {
      const socket = new WebSocket(url.replace('http', 'ws'))
      socket.onopen = () => { socket.close(); resolve('open') }
      socket.onerror = () => resolve('failed')
    })`,
  ),
  crossing('a beacon', `return navigator.sendBeacon(url, 'stop=1') ? 'sent' : 'failed'`, 'sent'),
  crossing(
    'a form posted into a frame',
    `const frame = document.createElement('iframe')
    frame.name = 'posted' + Math.random()
    const form = document.createElement('form')
    Object.assign(form, { method: 'POST', action: url, target: frame.name })
    document.body.append(frame, form)
    return new Promise((resolve) => {
      frame.onload = () => { try { resolve(frame.contentWindow.document.body.innerText || 'failed') } catch { resolve('failed') } }
      form.submit()
    })`,
  ),
  crossing(
    'a background of a style',
    `document.body.style.backgroundImage = 'url(' + url + ')'; return 'set'`,
    'set',
  ),
  {
    name: 'a form posted into a window',
    async attack({ context, page, good }) {
      const path = `/posted-${nextNumber()}`
      const opened = context.waitForEvent('page')
      await run(
        page,
        `const form = document.createElement('form')
        Object.assign(form, { method: 'POST', action: ${JSON.stringify(good.client.origin + path)}, target: '_blank' })
        document.body.append(form)
        form.submit()`,
      )
      const popup = await opened
      await popup.waitForLoadState()
      const text = await popup.textContent('body')
      await popup.close()
      return {
        client: { saw: text?.includes('the page'), wanted: false },
        beyond: { saw: (await good.listArrivals()).filter((line) => line.includes(path)), wanted: [] },
      }
    },
  },
  {
    name: 'a window on the good page: it is opened as by a link, and not held',
    async attack(rig) {
      const { popup, isHeld, name } = await openFrom(rig, `${rig.good.client.origin}/opened`)
      const opener = await run(popup, 'return window.opener !== null')
      const arrivals = rig.good.arrivals.map(({ method, path }) => `${method} ${path}`)
      await popup.close()
      return {
        client: { saw: { isHeld, opener, name }, wanted: { isHeld: false, opener: false, name: '' } },
        beyond: { saw: arrivals.filter((line) => !line.endsWith('.ico')), wanted: ['GET /opened'] },
      }
    },
  },
]
