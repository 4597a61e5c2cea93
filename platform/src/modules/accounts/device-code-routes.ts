import { accounts as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { type ConsoleOriginSource, consoleOrigin } from '../brands/index.ts'
import { findPlace } from '../geo-ip/index.ts'
import * as service from './device-code-service.ts'
import type { SignInDeps } from './sign-in-service.ts'

/** Signing a program in by a code that a person confirms in a browser (RFC 8628). */
export function deviceCodeRoutes(
  deps: Pick<SignInDeps, 'db' | 'bus' | 'outgoing'> & ConsoleOriginSource,
): Binding[] {
  const { db } = deps
  return [
    bind(contract.createDeviceCode, async (input, context) => {
      const { deviceCode, userCode } = await service.createDeviceCode(db, input, context)
      return {
        deviceCode,
        userCode,
        verifyUrl: `${consoleOrigin(deps, context.host)}/deviceCode`,
        expireIn: service.deviceCodeMs / 1000,
        interval: service.askIntervalMs / 1000,
      }
    }),

    bind(contract.scanDeviceCode, async ({ userCode }, context) => {
      const found = await service.scanDeviceCode(db, context, context.brand.id, userCode)
      const { terminalName, address, program } = found
      return { terminalName, ip: address, place: findPlace(address, context.lang), program }
    }),

    bind(contract.confirmDeviceCode, async (input, context) => {
      await service.confirmDeviceCode(db, context, context.brand.id, input)
      return {}
    }),

    bind(contract.redeemDeviceCode, async ({ deviceCode }, context) => {
      const answer = await service.redeemDeviceCode(deps, deviceCode, context)
      return 'opened' in answer ? { token: answer.opened.token } : answer
    }),
  ]
}
