import type { TestPlatform, TestUser } from '@busbar/testkit'
import type { BrowserContext, Page } from 'playwright-core'

/** Time that a request of a page may take to end. */
const requestMsMax = 2_000

/** Runs a script in a page, passed as a text because this project does not know the browser's types. */
export const run = <T>(page: Page, script: string) => page.evaluate<T>(`(async () => { ${script} })()`)

let asked = 0
/** A number for one attack, by which its requests are recognized. */
export const nextNumber = (): number => ++asked

/** Waits until a request has ended in any way; if the page never makes it, none is found. */
export async function requestEnded(context: BrowserContext, url: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = (request: { url(): string }) => {
    if (request.url() === url) resolve()
  }
  context.on('requestfinished', look)
  context.on('requestfailed', look)
  const timer = setTimeout(resolve, requestMsMax)
  await promise
  clearTimeout(timer)
  context.off('requestfinished', look)
  context.off('requestfailed', look)
}

/** An element that loads an address, and the events its page gets. */
export const element = (tag: string, attribute: string, more = '') =>
  `return new Promise((resolve) => {
    const element = document.createElement('${tag}')
    element.onload = element.onloadeddata = () => resolve('loaded')
    element.onerror = () => resolve('failed')
    ${more}
    element.${attribute} = url
    document.body.append(element)
  })`

/** Puts a session of the console into a browser. */
export async function signInAs(context: BrowserContext, site: TestPlatform, user: TestUser): Promise<void> {
  const url = `http://localhost:${site.webPort}`
  await context.addCookies([{ name: 'token', value: user.token, url, httpOnly: true, sameSite: 'Lax' }])
}

/** Opens a machine's page as a person does, and presses the button if the console asks first. */
export async function enterByPress(page: Page, address: string): Promise<void> {
  await page.goto(address)
  const button = page.locator('form[method="post"] button')
  if ((await button.count()) === 0) return
  await button.click()
  const { origin } = new URL(address)
  await page.waitForURL((url) => url.origin === origin && !url.pathname.startsWith('/.busbar/'))
}
