import { access } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { bkeysKey, visitorsKey } from '../../entities/access/access-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useAdministration } from './administration.ts'

interface Person {
  readonly userId: number
  readonly name: string
}
type Visitor = Person & Pick<access.Visitor, 'id' | 'visitTimeId'>
type Bkey = Person & Pick<access.Bkey, 'id'>
type Grant = Pick<access.Visitor | access.Bkey, 'userId' | 'limitRead' | 'limitAlarm'>

export type PersonActions = ReturnType<typeof usePersonActions>

/** The actions of a key on a person, in every section. Acts that cannot be undone ask for confirmation. */
export function usePersonActions() {
  const { machineId, limits, ask, run } = useAdministration()
  const t = useText().access
  const client = useQueryClient()
  return useMemo(() => {
    const words = t.confirm

    /** Shows a bit in its new state. */
    function patch(userId: number, change: Partial<Grant> & Partial<Pick<access.Visitor, 'mode'>>) {
      for (const queryKey of [visitorsKey(machineId), bkeysKey(machineId)]) {
        client.setQueryData<readonly Grant[]>(queryKey, (list) =>
          list?.map((grant) => (grant.userId === userId ? { ...grant, ...change } : grant)),
        )
      }
    }

    function setMode(person: Person, mode: access.VisitMode) {
      const set = (next: access.VisitMode) => () =>
        call(access.setReadOnly, {
          machineID: machineId,
          userID: person.userId,
          limitRead: next === 'ro' ? 1 : 0,
        })
      return run({
        call: set(mode),
        expect: () => patch(person.userId, { mode, limitRead: mode === 'ro' ? 1 : 0 }),
        done: t.undo.mode[mode](person.name),
        // The undo is left out if the caller may not give the right again.
        ...(mode === 'ro' && limits.mode ? {} : { undo: set(mode === 'ro' ? 'rw' : 'ro') }),
      })
    }

    function setAlarms(person: Person, isOn: boolean) {
      const set = (limitAlarm: 0 | 1) => () =>
        call(access.setAlarmBit, { machineID: machineId, userID: person.userId, limitAlarm })
      return run({
        call: set(isOn ? 1 : 0),
        expect: () => patch(person.userId, { limitAlarm: isOn ? 1 : 0 }),
        done: (isOn ? t.undo.alarms.on : t.undo.alarms.off)(person.name),
        ...(!isOn && limits.alarms ? {} : { undo: set(isOn ? 0 : 1) }),
      })
    }

    const asks = (
      of: { title: (name: string) => string; body: string; action: string; done: (name: string) => string },
      { name }: Person,
      work: () => Promise<unknown>,
    ) => ask({ title: of.title(name), body: of.body, action: of.action, done: of.done(name), call: work })

    /** The calls themselves, for several people; a refusal is shown beside the row. */
    const each = {
      end: (visitor: Visitor) =>
        call(
          access.endVisitTime,
          { visitAlidTimeID: visitor.visitTimeId, machineID: machineId },
          { noNotice: true },
        ),
      remove: (visitor: Visitor) =>
        call(access.removeVisitor, { visitTimeId: visitor.visitTimeId }, { noNotice: true }),
      lower: (bkey: Bkey) => call(access.updateLevel, { id: bkey.id, limit: 0 }, { noNotice: true }),
      block: (person: Person) =>
        call(access.addToBlacklist, { deviceId: machineId, userId: person.userId }, { noNotice: true }),
      lift: (person: Person) =>
        call(access.removeFromBlacklist, { deviceId: machineId, userId: person.userId }, { noNotice: true }),
    }

    return {
      each,
      setMode,
      setAlarms,
      end: (visitor: Visitor) =>
        asks(words.end, visitor, () =>
          call(access.endVisitTime, { visitAlidTimeID: visitor.visitTimeId, machineID: machineId }),
        ),
      remove: (visitor: Visitor) =>
        asks(words.remove, visitor, () => call(access.removeVisitor, { visitTimeId: visitor.visitTimeId })),
      raise: (visitor: Visitor) =>
        asks(words.raise, visitor, () => call(access.updateLevel, { id: visitor.id, limit: 2 })),
      propose: (visitor: Visitor) =>
        asks(words.propose, visitor, () => call(access.updateLevel, { id: visitor.id, limit: 2 })),
      lower: (bkey: Bkey) =>
        asks(words.lower, bkey, () => call(access.updateLevel, { id: bkey.id, limit: 0 })),
      block: (person: Person) =>
        asks(words.block, person, () =>
          call(access.addToBlacklist, { deviceId: machineId, userId: person.userId }),
        ),
      lift: (person: Person) =>
        run({
          call: () => call(access.removeFromBlacklist, { deviceId: machineId, userId: person.userId }),
          done: t.undo.lifted(person.name),
          undo: () => call(access.addToBlacklist, { deviceId: machineId, userId: person.userId }),
        }),
    }
  }, [machineId, limits, ask, run, t, client])
}
