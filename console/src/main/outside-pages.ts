import { type ComponentType, useEffect, useState } from 'react'
import { LoginPage } from '../features/sign-in/login-page.tsx'
import { SessionEndedPage } from '../features/sign-in/session-ended-page.tsx'
import { getText, loadJoiningTexts } from '../shared/i18n/language.ts'
import type { OutsidePath } from '../shared/session/address.ts'
import { showToast } from '../shared/ui/toast/toast-store.ts'

type Page = ComponentType

/** Loaded with the first files, because the first screen of a person without a session has to be quick. */
const ready: Partial<Record<string, Page>> = { '/login': LoginPage, '/loginTimeout': SessionEndedPage }

const register = () =>
  import('../features/registration/register-page.tsx').then((module) => module.RegisterPage)

const loaders: Record<Exclude<OutsidePath, '/login' | '/loginTimeout'>, () => Promise<Page>> = {
  '/register': register,
  '/registerByEmail': register,
  '/forgetPwd': () =>
    import('../features/recovery/forgotten-password-page.tsx').then((module) => module.ForgottenPasswordPage),
  '/main': () => import('../features/sign-in/landing-page.tsx').then((module) => module.LandingPage),
  '/scadaRegister': () =>
    import('../features/scada-register/scada-register-page.tsx').then((module) => module.ScadaRegisterPage),
}

/** Fetches a screen with its texts. */
export async function loadOutsidePage(pathname: string): Promise<Page> {
  const at = ready[pathname]
  if (at) return at
  const [page] = await Promise.all([
    loaders[pathname as keyof typeof loaders](),
    loadJoiningTexts(),
    import('../shared/ui/more-icons.ts'),
  ])
  ready[pathname] = page
  return page
}

/** The screen of an address. Until it is there the one before it stays, or nothing. */
export function useOutsidePage(pathname: string): Page | undefined {
  const [shown, setShown] = useState(() => ready[pathname])
  useEffect(() => {
    let isWanted = true
    loadOutsidePage(pathname).then(
      (page) => isWanted && setShown(() => page),
      () => isWanted && showToast(getText().notices.unreachable, 'failure'),
    )
    return () => {
      isWanted = false
    }
  }, [pathname])
  return ready[pathname] ?? shown
}
