import { accounts as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import * as service from './second-factors-service.ts'

/** Turning the second factor on and off. */
export function secondFactorRoutes(deps: service.SecondFactorDeps): Binding[] {
  return [
    bind(contract.setUpSecondFactor, (_, context) => service.setUpSecondFactor(deps, context, context.brand)),

    bind(contract.confirmSecondFactor, async ({ code }, context) => ({
      recoveryCodes: await service.confirmSecondFactor(deps, context, code),
    })),

    bind(contract.removeSecondFactor, async ({ code }, context) => {
      await service.removeSecondFactor(deps, context, code)
      return {}
    }),
  ]
}
