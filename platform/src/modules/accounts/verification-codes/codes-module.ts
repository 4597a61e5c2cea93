import { isHttps } from '../../../config.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Module } from '../../../kernel/module.ts'
import type { OutgoingModule } from '../../outgoing/index.ts'
import type { SignInCodes } from '../index.ts'
import { type CodeCookies, createCodeCookies } from './code-cookies.ts'
import { codesRoutes } from './codes-routes.ts'
import type { CodeDeps } from './codes-service.ts'
import { removeExpiredCodes } from './codes-store.ts'
import { createSignInCodes } from './sign-in-codes.ts'

export interface CodesModule extends Module {
  readonly codeDeps: CodeDeps
  readonly cookies: CodeCookies
  readonly signInCodes: SignInCodes
}

/** Codes sent to accounts. */
export function createCodesModule(
  { db, config, now }: Kernel,
  { outgoing: { outgoing } }: { readonly outgoing: OutgoingModule },
): CodesModule {
  const codeDeps = { db, outgoing, publicUrl: config.PUBLIC_URL }
  const cookies = createCodeCookies(isHttps(config))
  const removeExpired = () => removeExpiredCodes(db, new Date(now()))
  return {
    name: 'codes',
    roles: ['api'],
    codeDeps,
    cookies,
    signInCodes: createSignInCodes(codeDeps),
    routes: codesRoutes({ codeDeps, cookies }),
    jobs: [{ name: 'codes.removeExpired', everyS: 300, run: removeExpired }],
  }
}
