import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/** A screen that is complete once its heading is visible. */
function screen(name: string, path: string, heading: (view: View) => string, signedIn = true): Screen {
  return {
    name,
    signedIn,
    arrive: async (view) => {
      await view.page.goto(path)
      await view.page
        .getByRole('heading', { name: heading(view), exact: true })
        .first()
        .waitFor()
    },
  }
}

/** Pages around signing in, and a person's own settings. */
export const accountScreens: readonly Screen[] = [
  {
    name: 'landing',
    signedIn: false,
    arrive: async ({ page, t }) => {
      await page.goto('/main')
      await page.getByRole('link', { name: t.joining.landing.register }).waitFor()
    },
  },
  screen('register', '/register', ({ t }) => t.joining.register.title, false),
  screen('register-email', '/registerByEmail', ({ t }) => t.joining.register.title, false),
  {
    name: 'register-differ',
    signedIn: false,
    arrive: async ({ page, t }) => {
      const { person, register } = t.joining
      await page.goto('/registerByEmail')
      await page.getByRole('textbox', { name: t.login.email }).fill('ming@example.test')
      await page.getByRole('textbox', { name: person.name, exact: true }).fill('Ming Li')
      await page.getByLabel(person.password, { exact: true }).fill('quite a secret')
      await page.getByLabel(person.passwordRepeat, { exact: true }).fill('quite a secreT')
      await page.getByRole('button', { name: register.submit }).click()
      await page.getByText(person.passwordsDiffer).waitFor()
    },
  },
  {
    name: 'register-code',
    signedIn: false,
    arrive: async ({ page, t }) => {
      const { person, register, codes } = t.joining
      await page.goto('/registerByEmail')
      await page.getByRole('textbox', { name: t.login.email }).fill(`${Date.now()}@example.test`)
      await page.getByRole('textbox', { name: person.name, exact: true }).fill('Ming Li')
      for (const label of [person.password, person.passwordRepeat])
        await page.getByLabel(label, { exact: true }).fill('quite a secret')
      await page.getByRole('button', { name: register.submit }).click()
      await page.getByRole('heading', { name: codes.title }).waitFor()
    },
  },
  screen('forgotten', '/forgetPwd', ({ t }) => t.joining.recover.title, false),
  screen('scada', '/scadaRegister', ({ t }) => t.joining.scada.title, false),
  {
    name: 'login-countries',
    signedIn: false,
    arrive: async ({ page, t }) => {
      await page.goto('/login')
      await page.getByRole('radio', { name: t.login.tabs.phone }).click()
      await page.getByRole('button', { name: t.login.country }).click()
      await page.getByRole('option').nth(5).waitFor()
    },
  },
  {
    name: 'login-qr',
    signedIn: false,
    arrive: async ({ page, t }) => {
      await page.goto('/login')
      await page.getByRole('radio', { name: t.login.tabs.qr }).click()
      await page.getByRole('img', { name: t.joining.qr.picture }).waitFor()
    },
  },
  screen('user-info', '/userInfo', ({ t }) => t.settings.menu.profile),
  screen('security', '/security', ({ t }) => t.settings.menu.security),
  screen('appearance', '/appearance', ({ t }) => t.settings.menu.appearance),
  {
    name: 'delete-account',
    signedIn: true,
    arrive: async ({ page, t }) => {
      const { leaving } = t.account
      await page.goto('/userInfo')
      await page.getByRole('button', { name: leaving.name }).click()
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    },
  },
  screen('add-phone', '/modifyPhone', ({ t }) => t.account.modify.phoneAdd),
  screen('modify-email', '/modifyEmail', ({ t }) => t.account.modify.emailTitle),
  screen('qr-over', '/qr/none', ({ t }) => t.account.qr.title),
  screen('change-password', '/recoverPwd', ({ t }) => t.account.password.title),
  screen('friends', '/friends', ({ t }) => t.account.friends.title),
]
