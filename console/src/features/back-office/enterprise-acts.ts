import { operator } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import type { Act } from './act-dialog.tsx'
import type { OperatorText } from './operator-text.ts'

type Enterprise = Pick<operator.EnterpriseRow, 'eid' | 'name' | 'state' | 'enableProject'>
type LockState = (typeof operator.lockStates)[number]

export const updateEnterprise = (eid: number, change: { state?: LockState; enableProject?: boolean }) =>
  call(operator.updateEnterprise, { eid, ...change }, { noNotice: true })

/** Locks an enterprise, or unlocks it. */
export function lockEnterpriseAct(all: OperatorText, { eid, name, state }: Enterprise): Act {
  const t = all.enterprises
  const isLocked = state === 'locked'
  return {
    title: isLocked ? t.unlock : t.confirmLock(name),
    body: isLocked ? name : t.confirmLockBody,
    action: isLocked ? t.unlock : t.lock,
    danger: !isLocked,
    run: () => updateEnterprise(eid, { state: isLocked ? 'active' : 'locked' }),
    onDone: () => showToast(all.done),
  }
}

/** Turns projects of an enterprise on or off. */
export function projectsAct(all: OperatorText, { eid, name, enableProject }: Enterprise): Act {
  const action = enableProject ? all.pages.closeProjects : all.pages.openProjects
  return {
    title: action,
    body: name,
    action,
    run: () => updateEnterprise(eid, { enableProject: !enableProject }),
    onDone: () => showToast(all.done),
  }
}
