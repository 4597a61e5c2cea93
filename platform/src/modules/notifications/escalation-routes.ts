import { alarmContacts as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { type EscalationDeps, getEscalation, putEscalation } from './escalation-service.ts'

/** Steps that notify further people of an alarm that was not confirmed. */
export function escalationRoutes(deps: EscalationDeps): Binding[] {
  return [
    bind(contract.getEscalation, (input, { user, now }) =>
      getEscalation(deps, input, { userId: user.userId, now }),
    ),
    bind(contract.putEscalation, async (input, { user, now }) => {
      await putEscalation(deps, input, { userId: user.userId, now })
      return {}
    }),
  ]
}
