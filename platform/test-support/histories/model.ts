import type { Operation } from './operations.ts'
import type { State } from './state.ts'
import { type Outcome, World } from './world.ts'

/*
 * The meaning of calls, one after the other: the decisions a second time, in the plainest way, without locks or tables.
 */

const ok: Outcome = { code: 'ok' }

/** Makes the call on `state`, which it changes, or leaves as it is where the call is refused. */
export function step(state: State, operation: Operation, now: number): Outcome {
  const world = new World(state, now)
  const { user } = operation
  switch (operation.call) {
    case 'applyForVisit':
      return world.apply('visit', user, operation.machine, operation.wish)
    case 'applyForBind':
      return world.apply('bind', user, operation.machine, 'rw')
    case 'verifyVisit':
      return world.verify('visit', operation)
    case 'verifyBind':
      return world.verify('bind', { ...operation, minutes: -1, mode: 'rw' })
    case 'cancel':
      return world.cancel(user, operation.id)
    case 'addBkey':
      return world.addBkey(user, operation.machine, operation.whom)
    case 'addVisitor':
      return world.addVisitor(operation)
    case 'updateLevel':
      return world.updateLevel(user, operation.grant, operation.limit)
    case 'endVisitTime':
      return world.changeVisitor(user, operation.grant, (grant) => {
        if (grant.until !== null && grant.until <= now) return { code: '01010408' }
        grant.until = now
        return ok
      })
    case 'setVisitTime':
      return world.changeVisitor(user, operation.grant, (grant, _, machine) => {
        const until = world.untilOf(operation.minutes)
        // A longer time is given anew; a Bkey's own right has no end that it could exceed.
        const isLonger = grant.until !== null && (until === null || until > grant.until)
        if (isLonger && !grant.readOnly && world.watches(machine, user)) return { code: 'GIVER_READ_ONLY' }
        grant.until = until
        return ok
      })
    case 'removeVisitor':
      return world.changeVisitor(user, operation.grant, (_, pair) => {
        state.grants.delete(pair)
        return ok
      })
    case 'setReadOnly':
      return world.setReadOnly(operation)
    case 'blacklist':
      if (world.level(operation.machine, user) < 2) return { code: '403' }
      return world.blacklist(user, operation.machine, operation.whom)
    case 'unblacklist':
      return world.unblacklist(user, operation.machine, operation.whom)
    case 'setCheckType':
      return world.setCheckType(user, operation.machine, operation.checkType)
    case 'add':
      return world.add(user, operation.machine, operation.password)
    case 'remove':
      return world.remove(user, operation.machine)
    case 'offer':
      return world.offer(user, operation.machine, operation.whom)
    case 'answerTransfer':
      return world.answerTransfer(user, operation.id, operation.action)
    case 'createGroup':
      if (world.hasGroupNamed(user, operation.name)) return { code: 'GROUP_NAME_TAKEN' }
      state.groups.set(world.newId(), { user, name: operation.name })
      return ok
    case 'renameGroup': {
      const group = state.groups.get(operation.id)
      if (group?.user !== user) return { code: '04010113' }
      if (group.name !== operation.name && world.hasGroupNamed(user, operation.name))
        return { code: 'GROUP_NAME_TAKEN' }
      group.name = operation.name
      return ok
    }
    case 'fillGroup':
      return world.fillGroup(user, operation.id, operation.machineIds)
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
  return new World(state, now).level(machine, user)
}
