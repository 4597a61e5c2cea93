import type { Operation } from './operations.ts'
import { type Outcome, RightsModel } from './rights-model.ts'
import type { State } from './state.ts'

/*
 * The meaning of calls, one after the other: the decisions a second time, in the plainest way, without locks or tables.
 */

const ok: Outcome = { code: 'ok' }

/** Makes the call on `state`, which it changes, or leaves as it is where the call is refused. */
export function step(state: State, operation: Operation, now: number): Outcome {
  const model = new RightsModel(state, now)
  const { user } = operation
  switch (operation.call) {
    case 'applyForVisit':
      return model.apply('visit', user, operation.machine, operation.wish)
    case 'applyForBind':
      return model.apply('bind', user, operation.machine, 'rw')
    case 'verifyVisit':
      return model.verify('visit', operation)
    case 'verifyBind':
      return model.verify('bind', { ...operation, minutes: -1, mode: 'rw' })
    case 'cancel':
      return model.cancel(user, operation.id)
    case 'addBkey':
      return model.addBkey(user, operation.machine, operation.whom)
    case 'addVisitor':
      return model.addVisitor(operation)
    case 'updateLevel':
      return model.updateLevel(user, operation.grant, operation.limit)
    case 'endVisitTime':
      return model.changeVisitor(user, operation.grant, (grant) => {
        if (grant.until !== null && grant.until <= now) return { code: '01010408' }
        grant.until = now
        return ok
      })
    case 'setVisitTime':
      return model.changeVisitor(user, operation.grant, (grant, _, machine) => {
        const until = model.untilOf(operation.minutes)
        // A longer time is given anew; a Bkey's own right has no end that it could exceed.
        const isLonger = grant.until !== null && (until === null || until > grant.until)
        if (isLonger && !grant.readOnly && model.watches(machine, user)) return { code: 'GIVER_READ_ONLY' }
        grant.until = until
        return ok
      })
    case 'removeVisitor':
      return model.changeVisitor(user, operation.grant, (_, pair) => {
        state.grants.delete(pair)
        return ok
      })
    case 'setReadOnly':
      return model.setReadOnly(operation)
    case 'blacklist':
      if (model.level(operation.machine, user) < 2) return { code: '403' }
      return model.blacklist(user, operation.machine, operation.whom)
    case 'unblacklist':
      return model.unblacklist(user, operation.machine, operation.whom)
    case 'setCheckType':
      return model.setCheckType(user, operation.machine, operation.checkType)
    case 'add':
      return model.add(user, operation.machine, operation.password)
    case 'remove':
      return model.remove(user, operation.machine)
    case 'offer':
      return model.offer(user, operation.machine, operation.whom)
    case 'answerTransfer':
      return model.answerTransfer(user, operation.id, operation.action)
    case 'createGroup':
      if (model.hasGroupNamed(user, operation.name)) return { code: 'GROUP_NAME_TAKEN' }
      state.groups.set(model.newId(), { user, name: operation.name })
      return ok
    case 'renameGroup': {
      const group = state.groups.get(operation.id)
      if (group?.user !== user) return { code: '04010113' }
      if (group.name !== operation.name && model.hasGroupNamed(user, operation.name))
        return { code: 'GROUP_NAME_TAKEN' }
      group.name = operation.name
      return ok
    }
    case 'fillGroup':
      return model.fillGroup(user, operation.id, operation.machineIds)
    case 'removeGroup': {
      if (state.groups.get(operation.id)?.user !== user) return { code: '04010113' }
      if ([...state.listed.values()].some((groups) => groups.includes(operation.id)))
        return { code: 'GROUP_NOT_EMPTY' }
      state.groups.delete(operation.id)
      return ok
    }
  }
}

/** A person's level at a machine by the model. */
export function limitAuthorityOf(state: State, machine: number, user: number, now: number): number {
  return new RightsModel(state, now).level(machine, user)
}
