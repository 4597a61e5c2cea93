import { accounts as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import type { ConsoleOriginSource } from '../brands/index.ts'
import * as service from './accounts-service.ts'
import * as store from './accounts-store.ts'
import { presentUser } from './accounts-views.ts'
import { deviceCodeRoutes } from './device-code-routes.ts'
import { provePassword, requireProof } from './password-proof.ts'
import { qrLoginRoutes } from './qr-login-routes.ts'
import { safetyRoutes } from './safety-routes.ts'
import { secondFactorRoutes } from './second-factor-routes.ts'
import { hasSecondFactor } from './second-factors-store.ts'
import { createSessionCookies } from './session-cookies.ts'
import { login, type SignInDeps } from './sign-in-service.ts'

/** The parts that these routes use; with https cookies are Secure. */
export type AccountsDeps = SignInDeps & ConsoleOriginSource

/** Sign-in, sign-out, the person, their terminals and second factor, tickets for the push socket. */
export function accountsRoutes(deps: AccountsDeps): Binding[] {
  const { db } = deps
  const cookies = createSessionCookies(deps.https)

  return [
    bind(contract.login, async (input, context) => {
      const opened = await login(deps, input, context)
      cookies.set(context, opened)
      const { token, userId: userid, phone, email, deletionTakenBack } = opened
      return { token, userid, phone, email, deletionTakenBack }
    }),

    bind(contract.logout, async (_, context) => {
      await service.endSession(db, context, context.user.sessionId)
      cookies.remove(context)
      return {}
    }),

    bind(contract.selectInfo, async (_, { user }) =>
      presentUser(await store.findUser(db, user.userId), await hasSecondFactor(db, user.userId)),
    ),

    bind(contract.getPasswordProof, async (_, { user, now }) => ({
      verified: true as const,
      until: await requireProof(db, user.sessionId, now),
    })),

    bind(contract.provePassword, async ({ password }, { user, now }) => ({
      until: await provePassword(db, user, password, now),
    })),

    bind(contract.createPushTicket, async (_, { user, now }) => ({
      ticket: await service.createPushTicket(db, user, now),
    })),

    ...safetyRoutes(deps),
    ...secondFactorRoutes(deps),
    ...qrLoginRoutes(deps, cookies),
    ...deviceCodeRoutes(deps),
  ]
}
