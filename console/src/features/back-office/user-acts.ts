import { operator } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import type { Act } from './act-dialog.tsx'
import type { OperatorText } from './operator-text.ts'

type User = Pick<operator.UserRow, 'userId' | 'name' | 'state' | 'isOperator'>
type LockState = (typeof operator.lockStates)[number]

export const updateUser = (userId: number, change: { state?: LockState; isOperator?: boolean }) =>
  call(operator.updateUser, { id: userId, ...change }, { noNotice: true })

/** Locks a person, or unlocks a locked one. */
export function lockUserAct(all: OperatorText, { userId, name, state }: User): Act {
  const t = all.users
  const isLocked = state === 'locked'
  return {
    title: isLocked ? t.unlock : t.confirmLock(name),
    body: isLocked ? name : t.confirmLockBody,
    action: isLocked ? t.unlock : t.lock,
    danger: !isLocked,
    run: () => updateUser(userId, { state: isLocked ? 'active' : 'locked' }),
    onDone: () => showToast(all.done),
  }
}

/** Makes a person an operator, or an ordinary person again. */
export function operatorAct(all: OperatorText, { userId, name, isOperator }: User): Act {
  const t = all.users
  return {
    title: isOperator ? t.confirmRemoval(name) : t.confirmOperator(name),
    body: isOperator ? t.confirmRemovalBody : t.confirmOperatorBody,
    action: isOperator ? t.removeOperator : t.makeOperator,
    danger: isOperator,
    run: () => updateUser(userId, { isOperator: !isOperator }),
    onDone: () => showToast(all.done),
  }
}
