import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareSite } from './shared-site.ts'
import type { Account, Site } from './site.ts'
import { addressOf, type Look, signInByForm, type View, withView } from './view.ts'

let site: Site
let browser: Browser
let person: Account

beforeAll(async () => {
  ;({ site, browser } = await shareSite())
  person = await site.createAccount('session@example.test', 'Ming Li', 'en')
})

const desk: Look = { lang: 'cn', size: 'wide', theme: 'dark' }
const phone: Look = { lang: 'en', size: 'narrow', theme: 'light' }

async function arrive(view: View): Promise<void> {
  await view.page.goto('/login')
  await signInByForm(view, person)
  await view.page.waitForURL((url) => url.pathname === '/index/')
  await view.page.getByText(view.t.machines.empty.title).waitFor()
}

describe.each(pickTurns('session', [desk, phone]))('a session, $lang, $size', (look) => {
  it('ended from another terminal says so in a dialog, and leads back to where one was', () =>
    withView(browser, site, look, (view) =>
      withView(browser, site, look, async (other) => {
        await arrive(view)
        await arrive(other)
        await other.page.goto('/safety')
        const { safety, app } = other.t
        await other.page
          .getByRole('button', { name: new RegExp(`^${safety.signOut}`) })
          .first()
          .click()
        await other.page.getByRole('dialog').getByRole('button', { name: safety.signOut }).click()

        const dialog = view.page.getByRole('dialog', { name: app.signedOut.title })
        await dialog.getByText(app.signedOut.elsewhere).waitFor()
        await dialog.getByRole('button', { name: app.signedOut.again }).click()
        await view.page.waitForURL((url) => url.pathname === '/login')
        await signInByForm(view, person)
        await view.page.waitForURL((url) => url.pathname === '/index/')
        expect(addressOf(other.page)).toBe('/safety')
      }),
    ))
})

it('a session that the platform no longer knows ends with its notice on the screen that says why', () =>
  withView(browser, site, phone, async (view) => {
    await arrive(view)
    const { app, notices } = view.t
    // Gone without a word on the push socket: as after a restore, or when its time is up.
    const db = await site.openDatabase()
    await db.deleteFrom('sessions').execute()
    await db.destroy()
    await view.page.reload()
    await view.page.getByText(notices.tokenInvalid).waitFor()
    await view.page.waitForURL((url) => url.pathname === '/loginTimeout')
    await view.page.getByRole('heading', { name: app.ended.title }).waitFor()
    await view.page.getByRole('link', { name: app.ended.again }).click()
    await signInByForm(view, person)
    await view.page.waitForURL((url) => url.pathname === '/index/')
  }))

describe('a tab', () => {
  it('continues with a session that another tab restarted, and does not end it', () =>
    withView(browser, site, { lang: 'en', size: 'wide', theme: 'light' }, async (view) => {
      await arrive(view)
      // The page learns of it by its push socket.
      await view.page.getByText(view.t.app.live.live, { exact: true }).waitFor()
      // As the other tab signs in: with this browser's cookies and name, which ends the session before.
      const terminalUUID = await view.page.evaluate("localStorage.getItem('busbar.terminal')")
      const reloaded = view.page.waitForEvent('load')
      const { account: loginName, password: loginPwd } = person
      await view.context.request.post('/api/user/login', { data: { loginName, loginPwd, terminalUUID } })
      await reloaded
      await view.page.getByText(view.t.machines.empty.title).waitFor()
      expect(await view.page.evaluate('document.cookie')).toContain('loggedIn=1')
    }))
})
