import { machines as contract } from '@busbar/contract'
import { type Binding, bind } from '../../../kernel/http/bind.ts'
import { callerOf } from '../../../kernel/http/caller.ts'
import type { RightsDeps } from '../rights-change.ts'
import { removeMachine } from './remove-machine.ts'
import { answerTransfer, offerMachine } from './transfers-service.ts'
import { listTransfers, type TransferRow } from './transfers-store.ts'

/** Giving up machines, and transferring them. */
export function ownershipRoutes(deps: RightsDeps): Binding[] {
  return [
    bind(contract.removeMachine, async ({ delMachineID }, context) => {
      await removeMachine(deps, callerOf(context), delMachineID)
      return { state: contract.operationStates.removed }
    }),

    bind(contract.offerMachine, async (input, context) => {
      return { applyId: await offerMachine(deps, callerOf(context), input) }
    }),

    bind(contract.answerTransfer, async (input, context) => {
      await answerTransfer(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.listTransfers, async (_, { user, now }) =>
      (await listTransfers(deps.db, user.userId, new Date(now))).map((row) =>
        presentTransfer(row, user.userId),
      ),
    ),
  ]
}

function presentTransfer(row: TransferRow, userId: number): contract.Transfer {
  return {
    applyId: row.id,
    machineId: row.machine_id,
    machineCode: row.code,
    machineName: row.name,
    from: row.from_name,
    to: row.to_name,
    toEid: row.to_enterprise_id,
    mine: row.from_user_id === userId,
    mayAnswer: row.may_answer,
    createdAt: row.created_at.getTime(),
    expireAt: row.expires_at.getTime(),
  }
}
