import { isHttps } from '../../../config.ts'
import { sessionCookieName } from '../../../kernel/http/session-reader.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Module } from '../../../kernel/module.ts'
import type { AccountsModule } from '../index.ts'
import type { CodesModule } from '../verification-codes/index.ts'
import { registrationRoutes } from './registration-routes.ts'

interface Deps {
  readonly accounts: AccountsModule
  readonly codes: CodesModule
}

/** Registration and recovery. */
export function createRegistrationModule({ config }: Kernel, { accounts, codes }: Deps): Module {
  const sessionCookie = sessionCookieName(isHttps(config))
  return {
    name: 'registration',
    roles: ['api'],
    routes: registrationRoutes({
      codeDeps: codes.codeDeps,
      cookies: codes.cookies,
      findCaller: async (context) => {
        const token = context.cookie(sessionCookie)
        return token ? accounts.findSession(token, context.now, context.brand.id) : undefined
      },
    }),
  }
}
