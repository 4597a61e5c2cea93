import type { Program } from '@busbar/contract'
import { isHttps } from '../../config.ts'
import type { SignedIn } from '../../kernel/http/bind.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { BrandsModule } from '../brands/index.ts'
import type { OutgoingModule } from '../outgoing/index.ts'
import { accountsRoutes } from './accounts-routes.ts'
import { findSession } from './accounts-service.ts'
import { removeExpired } from './accounts-store.ts'
import { mayOperate } from './may-operate.ts'
import type { SignInCodes } from './sign-in-service.ts'

export interface AccountsModule extends Module {
  /**
   * The session of a token on a brand's host, or nothing when it is unknown there, expired or revoked, or of a program
   * that is not among those admitted.
   */
  findSession(
    token: string,
    now: number,
    brandId: number,
    admitted?: readonly Program[],
  ): Promise<SignedIn | undefined>
  /** Whether a person may work in the back office now; throws OPERATOR_FACTOR_NEEDED. */
  isOperator(userId: number): Promise<boolean>
}

interface Deps {
  readonly brands: BrandsModule
  readonly outgoing: OutgoingModule
  readonly codes: { readonly signInCodes: SignInCodes }
}

/** People, their sessions and their second factors. */
export function createAccountsModule(kernel: Kernel, { brands, outgoing, codes }: Deps): AccountsModule {
  const { db, bus, logger, config, secrets, now } = kernel
  return {
    name: 'accounts',
    roles: ['api'],
    findSession: (token, at, brandId, admitted) => findSession(db, token, at, brandId, admitted),
    isOperator: (userId) => mayOperate(db, userId, { factor: config.OPERATOR_SECOND_FACTOR }),
    routes: accountsRoutes({
      db,
      bus,
      logger,
      box: secrets,
      codes: codes.signInCodes,
      outgoing: outgoing.outgoing,
      brands: brands.directory,
      https: isHttps(config),
      publicUrl: config.PUBLIC_URL,
    }),
    jobs: [{ name: 'accounts.removeExpired', everyS: 300, run: () => removeExpired(db, new Date(now())) }],
  }
}
