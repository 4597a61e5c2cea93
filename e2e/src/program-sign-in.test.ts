import { type AnswerOf, accounts } from '@busbar/contract'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { looksOf, signInByForm, withView } from './view.ts'

let site: Site
let browser: Browser

beforeAll(async () => {
  ;({ site, browser } = await shareSite())
})

/** Posts as a program outside of any browser, and returns the answer. */
async function post<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${site.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { hwdata } = (await answer.json()) as { hwdata: Answer }
  return hwdata
}

const ask = (deviceCode: string) =>
  post<AnswerOf<typeof accounts.redeemDeviceCode>>(accounts.redeemDeviceCode.path, { deviceCode })

/** Polls at the program's own pace until there is a decision. */
async function waitForToken({ deviceCode, interval }: { deviceCode: string; interval: number }) {
  for (;;) {
    const answer = await ask(deviceCode)
    if ('token' in answer || answer.state !== 'waiting') return answer
    await new Promise((done) => setTimeout(done, interval * 1000))
  }
}

describe('signing in a program', () => {
  it.each(looksOf('program'))('takes a code, a browser and a sign-in there ($lang, $size)', async (look) => {
    const account = await site.createAccount(`program-${look.lang}@example.test`, 'Ming Li', look.lang)
    const code = await post<AnswerOf<typeof accounts.createDeviceCode>>(accounts.createDeviceCode.path, {
      terminalName: 'busbar-connect',
      terminalUUID: `program-${look.lang}`,
    })
    expect(code.verifyUrl).toBe(`${site.url}/deviceCode`)
    const token = waitForToken(code)
    await withView(browser, site, look, async (view) => {
      const { page, t } = view
      await page.goto(code.verifyUrl)
      await signInByForm(view, account)
      const field = page.getByLabel(t.deviceCode.code)
      await field.fill(code.userCode.toLowerCase().replace('-', ''))
      expect(await findFaults(page, 'typing a code')).toEqual([])
      await field.press('Enter')
      await page.getByText('busbar-connect', { exact: true }).waitFor()
      await page.getByText(code.userCode, { exact: true }).waitFor()
      expect(await findFaults(page, 'deciding about a program')).toEqual([])
      await page.getByRole('button', { name: t.account.qr.confirm }).click()
      await page.getByText(t.deviceCode.confirmed).waitFor()
      expect(await findFaults(page, 'a program that was let in')).toEqual([])
      await page.reload()
      await page.getByText(t.deviceCode.over).waitFor()
    })
    const given = await token
    const me = await fetch(`${site.url}${accounts.selectInfo.path}`, {
      method: accounts.selectInfo.method,
      headers: { token: 'token' in given ? given.token : '' },
    })
    expect(await me.json()).toMatchObject({ hwcode: 0, hwdata: { name: 'Ming Li' } })
    expect(await ask(code.deviceCode)).toEqual({ state: 'expired' })
  })
})
