import { lazyPart } from '../../shared/ui/lazy-part.tsx'

export const changePasswordScreen = {
  path: '/recoverPwd',
  staticData: { shape: 'form' },
  component: lazyPart(() => import('./change-password-page.tsx').then((module) => module.ChangePasswordPage)),
} as const
